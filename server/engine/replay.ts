import { AmbiguousStep, ReplayMismatch } from "../core/errors.ts";
import type { JournalEntry, JournalKind } from "../core/journal.ts";
import type { QuestionData } from "../core/task-question.ts";
import type { TaskUpdate } from "../core/task-update.ts";

type EntryKind = JournalKind | "ask";

/** What an earlier attempt of this task left behind. */
export interface RecordedHistory {
  journal: JournalEntry[];
  /** Those that are not forgotten. */
  questions: QuestionData[];
  /** Updates posted after the last recorded entry. */
  tailUpdates: Pick<TaskUpdate, "level" | "message">[];
}

export const emptyHistory: RecordedHistory = { journal: [], questions: [], tailUpdates: [] };

interface Recorded {
  kind: EntryKind;
  name: string;
  entry: JournalEntry | null;
  question: QuestionData | null;
}

/**
 * Matches the calls of a resumed handler with what was recorded, and decides which of its repeated
 * updates are old.
 *
 * Entered with the history of the task; it replays while recorded entries remain unused, and is
 * done once the handler's calls have used them all.
 */
export class Replay {
  readonly #recorded = new Map<string, Recorded>();
  readonly #unused: Set<string>;
  readonly #calls = new Map<string, number>();
  readonly #usedKeys = new Set<string>();
  readonly #tail = new Map<string, number>();
  #unsettled = 0;

  constructor(history: RecordedHistory) {
    for (const entry of history.journal) {
      const { kind, name, key } = entry;
      this.#recorded.set(idOf(name, key), { kind, name, entry, question: null });
    }
    for (const question of history.questions) {
      this.#recorded.set(idOf("ask", question.key), {
        kind: "ask",
        name: "ask",
        entry: null,
        question,
      });
    }
    this.#unused = new Set(this.#recorded.keys());
    for (const update of history.tailUpdates) {
      const id = updateId(update);
      this.#tail.set(id, (this.#tail.get(id) ?? 0) + 1);
    }
  }

  /** True while the handler has not yet come as far as the attempt before it. */
  get isReplaying(): boolean {
    return this.#unused.size > 0;
  }

  /**
   * The key of the next call of `name`.
   *
   * @throws AmbiguousStep for a second call without a key while another one is unsettled, and for
   *   a key that was used before.
   */
  nextKey(name: string, explicit: string | undefined): string {
    const key = explicit ?? this.#nthKey(name);
    const id = idOf(name, key);
    if (this.#usedKeys.has(id)) {
      throw new AmbiguousStep(
        `This handler has made a call of "${name}" with the key "${key}" before, and its value would ` +
          "be recorded twice. Give each call a key of its own.",
        { name, key },
      );
    }
    this.#usedKeys.add(id);
    return key;
  }

  #nthKey(name: string): string {
    const nth = (this.#calls.get(name) ?? 0) + 1;
    this.#calls.set(name, nth);
    if (nth > 1 && this.#unsettled > 0) {
      throw new AmbiguousStep(
        `This is call ${nth} of "${name}" without a key while another call of this handler is under ` +
          "way, so a resumed handler could not tell them apart. Add a key: " +
          (name === "ask" ? "{ key: … }." : `ctx.step("${name}", fn, { key: … }).`),
        { name, nth },
      );
    }
    return `#${nth}`;
  }

  /** Counts a journaled call as under way until the returned function is called. */
  begin(): () => void {
    this.#unsettled += 1;
    let ended = false;
    return () => {
      if (!ended) this.#unsettled -= 1;
      ended = true;
    };
  }

  /** @throws ReplayMismatch when this name and key were recorded as something else. */
  takeEntry(kind: JournalKind, name: string, key: string): JournalEntry | null {
    return this.#take(kind, name, key)?.entry ?? null;
  }

  /** @throws ReplayMismatch when this name and key were recorded as something else. */
  takeQuestion(key: string): QuestionData | null {
    return this.#take("ask", "ask", key)?.question ?? null;
  }

  #take(kind: EntryKind, name: string, key: string): Recorded | null {
    const id = idOf(name, key);
    const recorded = this.#recorded.get(id);
    if (!recorded) return null;
    if (recorded.kind !== kind) {
      throw new ReplayMismatch(
        `The journal has a ${recorded.kind} named "${name}" with key ${key}, but the handler now makes ` +
          `a ${kind} of it. Give the new call another name, or let old tasks finish first.`,
        { name, key, recorded: recorded.kind, now: kind },
      );
    }
    this.#unused.delete(id);
    return recorded;
  }

  /** Whether an update was posted before the crash and must not be posted again. */
  isRepeated(update: Pick<TaskUpdate, "level" | "message">): boolean {
    if (this.isReplaying) return true;
    const id = updateId(update);
    const left = this.#tail.get(id) ?? 0;
    if (left === 0) return false;
    this.#tail.set(id, left - 1);
    return true;
  }

  /** @throws ReplayMismatch naming the first recorded entry the handler did not come to. */
  requireAllUsed(): void {
    const [first] = this.#unused;
    if (first === undefined) return;
    const { kind, name } = this.#recorded.get(first) as Recorded;
    const [, key] = JSON.parse(first) as [string, string];
    throw new ReplayMismatch(
      `The handler returned without its recorded ${kind} "${name}" (key ${key}), which an earlier ` +
        "attempt had reached. Its code or what it depends on outside steps has changed.",
      { name, key, recorded: kind },
    );
  }
}

function idOf(name: string, key: string): string {
  return JSON.stringify([name, key]);
}

function updateId({ level, message }: Pick<TaskUpdate, "level" | "message">): string {
  return `${level} ${message}`;
}
