import type { TaskRecord } from "../core/task.ts";
import type { UpdateLevel } from "../core/task-update.ts";
import type { EngineParts } from "./engine-parts.ts";
import { jsonDigest } from "./json-digest.ts";

/** An update as a driver says it. */
export interface DrivenUpdate {
  message: string;
  level?: UpdateLevel;
  /** 1, 2, 3 … as the driver counts its updates: one that is repeated with its number is posted once. */
  sequence?: number;
  /** A name of the driver's own for it: one that is repeated with its key is posted once. */
  key?: string;
}

// A call is repeated within minutes. These are also what a store has in memory of a running task.
const entriesLookedAt = 500;

/**
 * Posts updates of drivers. One with a key that is among the last 500 entries of the timeline is not
 * posted again; of two that come at the same time, which is a call whose answer is slow and its
 * repetition, the second waits for the first.
 */
export class PostingOnce {
  readonly #parts: EngineParts;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  async post(task: TaskRecord, update: DrivenUpdate): Promise<void> {
    const { taskId } = task;
    const { key } = update;
    if (key === undefined) return this.#commit(task, update, this.#parts.makeId("u"));
    const updateId = `u_${jsonDigest([taskId, key]).slice(0, 24)}`;
    const before = this.#turns.get(updateId) ?? Promise.resolve();
    const post = async () => {
      if (!(await this.#isPosted(taskId, updateId))) await this.#commit(task, update, updateId);
    };
    const turn = before.then(post, post);
    this.#turns.set(updateId, turn);
    try {
      await turn;
    } finally {
      if (this.#turns.get(updateId) === turn) this.#turns.delete(updateId);
    }
  }

  async #isPosted(taskId: string, updateId: string): Promise<boolean> {
    const { store } = this.#parts;
    const lastSeq = (await store.getTask(taskId))?.lastSeq ?? 0;
    const afterSeq = Math.max(0, lastSeq - entriesLookedAt);
    const events = await store.readEvents(taskId, { afterSeq, kinds: ["update"] });
    return events.some((event) => event.kind === "update" && event.updateId === updateId);
  }

  async #commit({ taskId, epoch }: TaskRecord, update: DrivenUpdate, updateId: string) {
    const { store, clock } = this.#parts;
    const { message, level = "info", sequence } = update;
    const at = clock.now();
    await store.commit({
      kind: "post_update",
      taskId,
      at,
      epoch,
      updateId,
      level,
      message,
      sequence,
    });
  }
}
