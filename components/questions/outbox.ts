import type { JsonValue } from "@/server/core/json.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import type { ApiError } from "../api/api-error.ts";
import { millisOf } from "../time/time-text.ts";

/** What somebody said to a question. */
export type Said =
  | { kind: "answer"; answer: JsonValue }
  | { kind: "decline"; reason: string | null };

/** Something said that the server does not know yet. */
export interface Pending {
  id: number;
  /** What it was said to: one question, or several that are alike. */
  questions: readonly QuestionData[];
  said: Said;
  /** Held back, and still to be taken back; or on its way. */
  state: "held" | "sending";
  /** When it goes out, by the clock of the browser. */
  sendAt: number;
}

export type OutboxEvent =
  /** It did not count, and the question is still open. */
  | { kind: "refused"; question: QuestionData; error: ApiError }
  /** Somebody else, or the deadline, was first. */
  | { kind: "late"; question: QuestionData }
  | { kind: "undone"; pending: Pending };

interface Carrier {
  /** Sends it and tells what came of it, question by question. Never throws. */
  deliver(pending: Pending): Promise<void>;
  /** Sends it from a page that is going away. */
  deliverLeaving(pending: Pending): void;
}

interface OutboxOptions {
  now?: () => number;
  setTimer?: (work: () => void, millis: number) => unknown;
}

/** Seconds for which what was said can be taken back. */
const holdSeconds = 5;
/** It is with the server this long before a deadline at the latest. */
const marginSeconds = 2;
const leastSeconds = 0.5;
/** What a page that goes away may still send, in characters; browsers allow 64 KiB. */
const maxLeavingLength = 40_000;

/** Milliseconds for which an answer may be held back; 0 when it has to go out at once. */
export function holdMillis(
  questions: readonly Pick<QuestionData, "deadline">[],
  serverNowMillis: number,
): number {
  const deadline = Math.min(...questions.map((question) => millisOf(question.deadline)));
  const seconds = (deadline - serverNowMillis) / 1000 - marginSeconds;
  return seconds < leastSeconds ? 0 : Math.min(holdSeconds, seconds) * 1000;
}

/**
 * What was said and is not sent yet. It outlives the page that it was said on, and nothing in it is
 * lost: what is held goes out when its time has come, when asked to, and when the page is left.
 */
export class Outbox {
  readonly #now: () => number;
  readonly #setTimer: (work: () => void, millis: number) => unknown;
  readonly #carriers = new Map<number, Carrier>();
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: OutboxEvent) => void>();
  #pending: readonly Pending[] = [];
  #refusals: ReadonlyMap<string, ApiError> = new Map();
  #lastId = 0;

  constructor({ now = Date.now, setTimer = setTimeout }: OutboxOptions = {}) {
    this.#now = now;
    this.#setTimer = (work, millis) => setTimer(work, millis);
  }

  /** @returns a promise of its end: that it was sent, or taken back. */
  add(
    { questions, said }: Pick<Pending, "questions" | "said">,
    hold: number,
    carrier: Carrier,
  ): Pending {
    this.#lastId += 1;
    const pending: Pending = {
      id: this.#lastId,
      questions,
      said,
      state: "held",
      sendAt: this.#now() + hold,
    };
    this.#carriers.set(pending.id, carrier);
    this.#set([...this.#pending, pending], without(this.#refusals, questions));
    if (hold === 0) this.#send(pending.id);
    else this.#setTimer(() => this.#send(pending.id), hold);
    this.#makeRoom();
    return pending;
  }

  /** Takes back what was said last, or to this question, if it is still here. */
  undo(questionId?: string): Pending | null {
    const found = this.#pending.findLast(
      (each) => each.state === "held" && (questionId === undefined || isFor(each, questionId)),
    );
    if (!found) return null;
    this.#remove(found.id);
    this.#tell({ kind: "undone", pending: found });
    return found;
  }

  /** Sends what is held, or what is held for this question, at once. */
  sendNow(questionId?: string): void {
    for (const each of this.#pending) {
      if (questionId === undefined || isFor(each, questionId)) this.#send(each.id);
    }
  }

  /**
   * The page goes away: what is here goes out in the one way that outlives it. What is on its way does
   * so as well, since that way ends with the page; the server takes a repetition for what it is. A
   * browser may tell a page that it is hidden, and sends everything, just before it ends it.
   */
  leave(): void {
    for (const each of this.#pending) {
      this.#carriers.get(each.id)?.deliverLeaving(each);
      if (each.state === "held") this.#remove(each.id);
    }
  }

  /** A question has ended by somebody else: what is held for it has nothing to go to. */
  closed(question: QuestionData): void {
    const found = this.#pending.find(
      (each) => each.state === "held" && isFor(each, question.questionId),
    );
    if (!found) return;
    const rest = found.questions.filter(({ questionId }) => questionId !== question.questionId);
    if (rest.length === 0) this.#remove(found.id);
    else this.#replace({ ...found, questions: rest });
    this.#tell({ kind: "late", question });
  }

  refuse(question: QuestionData, error: ApiError): void {
    this.#set(this.#pending, new Map([...this.#refusals, [question.questionId, error]]));
    this.#tell({ kind: "refused", question, error });
  }

  late(question: QuestionData): void {
    this.#tell({ kind: "late", question });
  }

  /** The same arrays and maps until they change. */
  readonly pending = (): readonly Pending[] => this.#pending;
  readonly refusals = (): ReadonlyMap<string, ApiError> => this.#refusals;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  onEvent(listener: (event: OutboxEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  // All that is held has to fit into what a page may send while it goes away.
  #makeRoom(): void {
    let length = 0;
    for (const each of this.#pending.toReversed()) {
      if (each.state !== "held") continue;
      length += JSON.stringify(each.said).length * each.questions.length + 500;
      if (length > maxLeavingLength) this.#send(each.id);
    }
  }

  #send(id: number): void {
    const found = this.#pending.find((each) => each.id === id);
    if (found?.state !== "held") return;
    const sending: Pending = { ...found, state: "sending" };
    this.#replace(sending);
    void this.#carriers
      .get(id)
      ?.deliver(sending)
      .finally(() => this.#remove(id));
  }

  #replace(pending: Pending): void {
    this.#set(
      this.#pending.map((each) => (each.id === pending.id ? pending : each)),
      this.#refusals,
    );
  }

  #remove(id: number): void {
    this.#carriers.delete(id);
    this.#set(
      this.#pending.filter((each) => each.id !== id),
      this.#refusals,
    );
  }

  #set(pending: readonly Pending[], refusals: ReadonlyMap<string, ApiError>): void {
    this.#pending = pending;
    this.#refusals = refusals;
    for (const listener of this.#listeners) listener();
  }

  #tell(event: OutboxEvent): void {
    for (const listener of this.#eventListeners) listener(event);
  }
}

export function isFor({ questions }: Pick<Pending, "questions">, questionId: string): boolean {
  return questions.some((question) => question.questionId === questionId);
}

function without(
  refusals: ReadonlyMap<string, ApiError>,
  questions: readonly QuestionData[],
): ReadonlyMap<string, ApiError> {
  if (!questions.some(({ questionId }) => refusals.has(questionId))) return refusals;
  return new Map([...refusals].filter(([id]) => !isFor({ questions }, id)));
}

/** The one of this page. */
export const outbox = new Outbox();
