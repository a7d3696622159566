import type { PollResponseJson } from "../../server/core/poll-response.ts";
import type { TaskEvent } from "../../server/core/task-event.ts";
import type { QuestionOutcome } from "../../server/core/task-question.ts";
import type { CrashParams } from "./crash-tasks.ts";
import type { FinalState } from "./final-state.ts";
import type { LedgerLine } from "./ledger.ts";

/** A task that was asked for, and every response that said it had been started. */
export interface StartRecord {
  type: string;
  params: CrashParams;
  /** Null for a start that is not repeated when its response is lost. */
  idempotencyKey: string | null;
  acknowledged: { taskId: string; created: boolean }[];
}

/** What one answerer said about one question, and how it was told to have ended. */
export interface AnswerRecord {
  questionId: string;
  taskId: string;
  said: { outcome: "answered" | "declined"; answer: string | null };
  /** `won` by this answerer, or the outcome it came too late for. */
  told:
    | { won: true; outcome: QuestionOutcome; answer: unknown }
    | { won: false; outcome: QuestionOutcome; answer: unknown };
}

export interface CancelRecord {
  taskId: string;
  /** Whether the server said that it would be cancelled; false when it had ended. */
  cancelled: boolean;
}

/** A stream of events that was resumed after every crash. */
export interface WatchRecord {
  /** Null for the stream of all tasks. */
  taskId: string | null;
  /** The position after which it was promised everything. */
  after: number;
  events: TaskEvent[];
  /** Where the server said that the watcher was too far behind to go on, and from where it goes on. */
  resets: { from: number; to: number }[];
  connects: number;
}

/** A task followed by polls with a cursor, across every crash. */
export interface PollRecord {
  taskId: string;
  updates: PollResponseJson["updates"];
  result: PollResponseJson["result"];
}

/** Everything a run was told by the server, and what was found in the database after it. */
export interface History {
  starts: StartRecord[];
  answers: AnswerRecord[];
  cancels: CancelRecord[];
  watches: WatchRecord[];
  polls: PollRecord[];
  ledger: LedgerLine[];
  /** What a server did that none should: ended by itself, failed a request, said 500. */
  mishaps: string[];
  final: FinalState;
}

export type Told = Omit<History, "ledger" | "final">;

export function emptyTold(): Told {
  return { starts: [], answers: [], cancels: [], watches: [], polls: [], mishaps: [] };
}
