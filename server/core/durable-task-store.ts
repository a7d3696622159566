import type { TaskScope } from "./access.ts";
import type { Actor } from "./actor.ts";
import type { AuditLog } from "./audit.ts";
import type { Command, CommandKind, CommandResult } from "./command.ts";
import type { JournalEntry } from "./journal.ts";
import type { LiveCount, RollupQuery, Rollups, WaitingQuestion } from "./overview.ts";
import type { Sealed } from "./secret-box.ts";
import type { Activity, Labels, TaskPayload, TaskRecord } from "./task.ts";
import type { TaskEvent, TaskEventKind } from "./task-event.ts";
import type { TaskOrder } from "./task-order.ts";
import type { QuestionData } from "./task-question.ts";
import type { TaskStatus } from "./task-status.ts";
import { isTaskStore, type TaskStore } from "./task-store.ts";
import type { Timestamp } from "./timestamp.ts";

/** What one committed command changed, as told to listeners. */
export interface Change {
  task: TaskRecord;
  events: TaskEvent[];
  /** The questions it opened or changed, as they are now. */
  questions: QuestionData[];
}

export interface Page<Item> {
  items: Item[];
  /** Pass it as `after` for the next page; null on the last. */
  nextCursor: string | null;
}

/** A span of time: from a moment on, and until before another. */
export interface Period {
  from?: Timestamp;
  until?: Timestamp;
}

/** Those with an open question that this actor may answer and nobody else took on; see {@link waitsFor}. */
export interface WaitsForQuery {
  actor: Actor;
  /** Types whose questions the actor may not answer. */
  exceptTypes: readonly string[];
}

export interface TaskQuery {
  statuses?: TaskStatus[];
  activities?: Activity[];
  /** The moment that `activities` and `waitsFor` are about. */
  now?: Timestamp;
  types?: string[];
  /**
   * Words that are all found in the task, upper or lower case: in its id, its labels, its error, or
   * the first 4,096 characters of its parameters or its result as JSON.
   */
  text?: string;
  labels?: Labels;
  parentTaskId?: string;
  rerunOf?: string;
  createdById?: string;
  /** Not these types, also where they are among `types`. */
  exceptTypes?: readonly string[];
  created?: Period;
  finished?: Period;
  waitsFor?: WaitsForQuery;
  /** 1 to 500. */
  limit: number;
  after?: string | null;
  /** Newest first when not given. With `text` only the two orders by creation. */
  order?: TaskOrder;
}

export const questionOrders = ["deadline", "pressing"] as const;
export type QuestionOrder = (typeof questionOrders)[number];

export interface QuestionQuery {
  /** Open ones, or resolved ones (latest first). */
  state: "open" | "resolved";
  /**
   * Of open ones: by deadline, soonest first, when not given; or by when they should be answered, see
   * `answerBy`.
   */
  order?: QuestionOrder;
  taskId?: string;
  /** Only of tasks that this actor started. */
  createdById?: string;
  /** Not of tasks of these types. */
  exceptTypes?: readonly string[];
  limit: number;
  after?: string | null;
}

/** Of one task, or of all tasks of a type. */
export type ApprovalQuery = { action: string; before: Timestamp } & (
  | { taskId: string; taskType?: undefined }
  | { taskType: string; taskId?: undefined }
);

export interface EventQuery {
  afterSeq?: number;
  /** Only up to this one. */
  untilSeq?: number;
  afterTimestamp?: Timestamp;
  kinds?: readonly TaskEventKind[];
  limit?: number;
}

export interface FeedQuery {
  afterPosition: number;
  taskId?: string;
  limit: number;
}

export interface RunnableQuery {
  now: Timestamp;
  limit: number;
  types: readonly string[];
  /** Concurrency keys that admit no further task; those that hold one already may go on. */
  fullKeys: readonly string[];
}

export type RunnableTask = Pick<TaskRecord, "taskId" | "type" | "concurrencyKey" | "holdsKey">;

export interface ExpiredLease {
  taskId: string;
  type: string;
  status: TaskStatus;
  workerId: string;
  interrupts: number;
}

/** Work whose time has come. */
export interface Due {
  /** Tasks whose lease ran out, with the worker that had them. */
  expiredLeases: ExpiredLease[];
  /** Open questions past their deadline. */
  questions: { taskId: string; questionId: string }[];
}

/**
 * What the product needs of storage. All writes go through {@link commit}; a reader sees only what
 * is committed, and everything `commit` acknowledged.
 */
export interface DurableTaskStore extends TaskStore {
  /** False for a store whose tasks end with the process. */
  readonly isDurable: boolean;
  /** Who did what; {@link commit} adds to it what it does for somebody. */
  readonly audit: AuditLog;

  /**
   * Carries out one write, whole or not at all, in the order the calls were made per task.
   *
   * @throws TaskNotFound, and the typed refusals of the state machine; nothing was written then.
   * @throws StoreUnavailable when the database could not be written; nothing was written then.
   */
  commit<K extends CommandKind>(command: Command<K>): Promise<CommandResult<K>>;

  getTask(taskId: string): Promise<TaskRecord | null>;
  getPayload(taskId: string): Promise<TaskPayload | null>;
  getJournal(taskId: string): Promise<JournalEntry[]>;
  /** The secret values of a task, by their places. */
  getSealed(taskId: string): Promise<ReadonlyMap<string, Sealed>>;
  /** The ids of the secrets that sealed values of tasks that have not ended. */
  listSealingKeys(): Promise<string[]>;
  getQuestion(questionId: string): Promise<QuestionData | null>;
  /** All questions of a task, oldest first. */
  getQuestions(taskId: string): Promise<QuestionData[]>;
  getOpenQuestions(taskId: string): Promise<QuestionData[]>;
  /** The approval of an action that was asked for last before a moment. */
  findLastApproval(query: ApprovalQuery): Promise<QuestionData | null>;
  /** Events of one task by `seq`. */
  readEvents(taskId: string, query: EventQuery): Promise<TaskEvent[]>;
  /** Events by position, of all tasks or one; never passes one that may still be committed. */
  readFeed(query: FeedQuery): Promise<TaskEvent[]>;
  /** The newest position; 0 when there is none. */
  lastPosition(): Promise<number>;
  /**
   * A page may have fewer items than `limit`, even none, and a `nextCursor` all the same: where what
   * is asked for is rare, it says how far was looked.
   *
   * @throws InvalidInput for a cursor that is none, or an order that the rest does not allow.
   */
  listTasks(query: TaskQuery): Promise<Page<TaskRecord>>;
  listQuestions(query: QuestionQuery): Promise<Page<QuestionData>>;
  /** @param scope counts only what is in it; everything, and cheaply, without one. */
  countByStatus(scope?: TaskScope | null): Promise<Record<TaskStatus, number>>;
  countOpenQuestions(scope?: TaskScope | null): Promise<number>;

  /** What was counted in slots of time; see {@link rollupWidths}. */
  readRollups(query: RollupQuery): Promise<Rollups>;
  /** Tasks that have not ended, by type and status; not of these types. */
  countLive(exceptTypes?: readonly string[]): Promise<LiveCount[]>;
  /** Questions that are open, the longest first; not of these types. */
  listLongestWaiting(limit: number, exceptTypes?: readonly string[]): Promise<WaitingQuestion[]>;

  /** Tasks to run now: by priority, then by how long they are due. */
  findRunnable(query: RunnableQuery): Promise<RunnableTask[]>;
  /** Which tasks hold each concurrency key. */
  listKeyHolders(): Promise<{ key: string; holders: string[] }[]>;
  findDue(now: Timestamp, limit: number): Promise<Due>;
  /** Workers that hold leases. */
  listWorkers(): Promise<string[]>;
  /** The next moment at which {@link findDue} or {@link findRunnable} has more; null when none. */
  nextDueAt(): Promise<Timestamp | null>;

  /**
   * Removes tasks that ended before a moment, with all that belongs to them; the oldest first.
   *
   * @returns how many were removed: fewer than `limit` when no more are left.
   */
  deleteFinished(before: Timestamp, limit: number): Promise<number>;

  /**
   * Calls `listener` after each commit, in commit order. A hint: a listener that needs every event
   * reads them. It must not throw.
   *
   * @returns a function that ends it.
   */
  subscribe(listener: (change: Change) => void): () => void;

  /** Cheap proof that the database can be read and written. @throws StoreUnavailable */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** True when `x` has what the product needs beyond the ten methods. */
export function isDurableTaskStore(x: unknown): x is DurableTaskStore {
  return isTaskStore(x) && typeof (x as Partial<DurableTaskStore>).commit === "function";
}
