import { type Actor, libraryActor } from "../core/actor.ts";
import { auditCaller } from "../core/audit.ts";
import { beginningOf } from "../core/beginning-of.ts";
import type { Clock } from "../core/clock.ts";
import type { DurableTaskStore } from "../core/durable-task-store.ts";
import { describeThrown } from "../core/errors.ts";
import { toTimestamp } from "../core/timestamp.ts";
import type { EngineLog } from "./engine-log.ts";

const maxRemembered = 10_000;

/** What was tried, by whom. */
interface Refusal {
  question: { taskId: string; questionId: string; prompt: string };
  actor: Actor | undefined;
  tried: "answered" | "declined";
  why: string;
}

/**
 * Notes for the audit log who tried to answer what they may not: once for each question and actor,
 * so that a program which tries again and again fills nothing.
 */
export class RefusalNotes {
  readonly #parts: { store: DurableTaskStore; clock: Clock; log: EngineLog };
  #noted = new Set<string>();

  constructor(parts: { store: DurableTaskStore; clock: Clock; log: EngineLog }) {
    this.#parts = parts;
  }

  /** Never rejects: the caller is refused whether or not it can be noted. */
  async note({ question, actor = libraryActor, tried, why }: Refusal): Promise<void> {
    const { store, clock, log } = this.#parts;
    const { taskId, questionId } = question;
    const id = JSON.stringify([questionId, actor.kind, actor.id]);
    if (this.#noted.has(id)) return;
    if (this.#noted.size >= maxRemembered) this.#noted = new Set();
    this.#noted.add(id);
    try {
      const task = await store.getTask(taskId);
      await store.audit.append({
        at: toTimestamp(clock.now()),
        action: "question.refused",
        ...auditCaller(actor),
        taskId,
        taskType: task?.type ?? null,
        questionId,
        details: { prompt: beginningOf(question.prompt, 200), tried, why },
      });
    } catch (error) {
      log.error("An entry of the audit log was not written", { error: describeThrown(error) });
    }
  }
}
