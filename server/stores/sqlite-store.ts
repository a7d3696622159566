import { resolve } from "node:path";
import type { TaskScope } from "../core/access.ts";
import type { AuditLog } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Command, CommandKind, CommandResult } from "../core/command.ts";
import type {
  ApprovalQuery,
  Due,
  DurableTaskStore,
  EventQuery,
  FeedQuery,
  Page,
  QuestionQuery,
  RunnableQuery,
  RunnableTask,
  TaskQuery,
} from "../core/durable-task-store.ts";
import type { JournalEntry } from "../core/journal.ts";
import type { LiveCount, RollupQuery, Rollups, WaitingQuestion } from "../core/overview.ts";
import type { Sealed } from "../core/secret-box.ts";
import type { TaskPayload, TaskRecord } from "../core/task.ts";
import type { TaskEvent } from "../core/task-event.ts";
import type { QuestionData } from "../core/task-question.ts";
import type { TaskStatus } from "../core/task-status.ts";
import type { Timestamp } from "../core/timestamp.ts";
import { CommandStore } from "./command-store.ts";
import { closedError, type WriterOptions } from "./command-writer.ts";
import { eventsInMemory, type HotTask } from "./hot-tasks.ts";
import type { IdentityStore } from "./identity-store.ts";
import { OpenDatabase, type Reads } from "./open-database.ts";
import type { PushStore } from "./push-store.ts";
import { inMemory } from "./sqlite-connection.ts";

export interface SQLiteStoreOptions {
  /** Gives the time to the methods that take none; the machine's when not given. */
  clock?: Clock;
  /** Told of each transaction of commands once it is committed. */
  onWrite?: WriterOptions["onWrite"];
}

/**
 * Keeps tasks in a SQLite file: they outlive the process, and what was acknowledged is on the disk.
 * Only one store may have a file open. `":memory:"` keeps everything in memory, for tests.
 *
 * The constructor only notes the path. The database is opened (created, brought up to date) at the
 * first use; {@link SQLiteStore.open} does it at once and waits. Either throws `StoreLocked` when
 * another store has the file, `MigrationRefused` when the file is newer, damaged or somebody else's,
 * and `StoreUnavailable` when it cannot be read or written; the next use tries again.
 */
export class SQLiteStore extends CommandStore implements DurableTaskStore {
  readonly isDurable: boolean;
  readonly audit: AuditLog = {
    append: async (record) => (await this.#open()).audit.append(record),
    list: async (query) => (await this.#open()).audit.list(query),
  };
  readonly #path: string;
  #opening: Promise<OpenDatabase> | null = null;
  #database: OpenDatabase | null = null;
  readonly #onWrite: SQLiteStoreOptions["onWrite"];
  #isClosed = false;

  constructor(path: string, { clock, onWrite }: SQLiteStoreOptions = {}) {
    super(clock);
    this.#onWrite = onWrite;
    this.#path = path === inMemory ? path : resolve(path);
    this.isDurable = path !== inMemory;
  }

  /** A store whose database is open. */
  static async open(path: string, options: SQLiteStoreOptions = {}): Promise<SQLiteStore> {
    const store = new SQLiteStore(path, options);
    await store.#open();
    return store;
  }

  /** Where people, keys and rules are kept: in the same file, written by the same writer. */
  async identity(): Promise<IdentityStore> {
    return (await this.#open()).identity;
  }

  /** Where browsers are kept that are told of questions. */
  async pushTargets(): Promise<PushStore> {
    return (await this.#open()).pushTargets;
  }

  commit<K extends CommandKind>(command: Command<K>): Promise<CommandResult<K>> {
    if (this.#database) return this.#database.writer.commit(command);
    return this.#open().then(({ writer }) => writer.commit(command));
  }

  async getTask(taskId: string): Promise<TaskRecord | null> {
    return (await this.#hot(taskId))?.record ?? this.#read(({ reads }) => reads.getTask(taskId));
  }

  async getPayload(taskId: string): Promise<TaskPayload | null> {
    const hot = await this.#hot(taskId);
    return hot?.payload ?? this.#read(({ reads }) => reads.getPayload(taskId));
  }

  async getJournal(taskId: string): Promise<JournalEntry[]> {
    return this.#read(({ reads }) => reads.getJournal(taskId));
  }

  async getSealed(taskId: string): Promise<ReadonlyMap<string, Sealed>> {
    return this.#read(({ reads }) => reads.getSealed(taskId));
  }

  async listSealingKeys(): Promise<string[]> {
    return this.#read(({ reads }) => reads.listSealingKeys());
  }

  async getQuestion(questionId: string): Promise<QuestionData | null> {
    return this.#read(({ reads }) => reads.getQuestion(questionId));
  }

  async getQuestions(taskId: string): Promise<QuestionData[]> {
    const hot = await this.#hot(taskId);
    if (hot?.hasAllQuestions) return byAge(hot.questions.values());
    return this.#read(({ reads }) => reads.getQuestions(taskId, false));
  }

  async getOpenQuestions(taskId: string): Promise<QuestionData[]> {
    const hot = await this.#hot(taskId);
    if (hot) return byAge(hot.questions.values()).filter(({ outcome }) => outcome === null);
    return this.#read(({ reads }) => reads.getQuestions(taskId, true));
  }

  async findLastApproval(query: ApprovalQuery): Promise<QuestionData | null> {
    return this.#read(({ reads }) => reads.findLastApproval(query));
  }

  async readEvents(taskId: string, query: EventQuery): Promise<TaskEvent[]> {
    const hot = await this.#hot(taskId);
    const inMemoryEvents = hot ? eventsInMemory(hot, query) : null;
    return inMemoryEvents ?? this.#read(({ reads }) => reads.readEvents(taskId, query));
  }

  async readFeed(query: FeedQuery): Promise<TaskEvent[]> {
    const { writer } = await this.#open();
    const { afterPosition, taskId, limit } = query;
    const recent = writer.committed?.recentEvents.after(afterPosition, taskId, limit);
    return recent ?? this.#read(({ reads }) => reads.readFeed(query));
  }

  async lastPosition(): Promise<number> {
    const { writer } = await this.#open();
    return (writer.committed ?? (await writer.readAgain())).lastPosition;
  }

  async listTasks(query: TaskQuery): Promise<Page<TaskRecord>> {
    return this.#read(({ taskList }) => taskList.page(query));
  }

  async listQuestions(query: QuestionQuery): Promise<Page<QuestionData>> {
    return this.#read(({ reads }) => reads.listQuestions(query));
  }

  async countByStatus(scope?: TaskScope | null): Promise<Record<TaskStatus, number>> {
    if (scope) return this.#read(({ reads }) => reads.countByStatus(scope));
    const { writer } = await this.#open();
    return { ...(writer.committed ?? (await writer.readAgain())).counts };
  }

  async countOpenQuestions(scope?: TaskScope | null): Promise<number> {
    if (scope) return this.#read(({ reads }) => reads.countOpenQuestions(scope));
    const { writer } = await this.#open();
    return (writer.committed ?? (await writer.readAgain())).openQuestions;
  }

  async readRollups(query: RollupQuery): Promise<Rollups> {
    return this.#read(({ rollups }) => rollups.read(query));
  }

  async countLive(exceptTypes?: readonly string[]): Promise<LiveCount[]> {
    return this.#read(({ rollups }) => rollups.countLive(exceptTypes));
  }

  async listLongestWaiting(
    limit: number,
    exceptTypes?: readonly string[],
  ): Promise<WaitingQuestion[]> {
    return this.#read(({ rollups }) => rollups.listLongestWaiting(limit, exceptTypes));
  }

  async findRunnable(query: RunnableQuery): Promise<RunnableTask[]> {
    return this.#read(({ reads }) => reads.findRunnable(query));
  }

  async listKeyHolders(): Promise<{ key: string; holders: string[] }[]> {
    return this.#read(({ reads }) => reads.listKeyHolders());
  }

  async findDue(now: Timestamp, limit: number): Promise<Due> {
    return this.#read(({ reads }) => reads.findDue(now, limit));
  }

  async listWorkers(): Promise<string[]> {
    return this.#read(({ reads }) => reads.listWorkers());
  }

  async nextDueAt(): Promise<Timestamp | null> {
    return this.#read(({ reads }) => reads.nextDueAt());
  }

  async deleteFinished(before: Timestamp, limit: number): Promise<number> {
    return (await this.#open()).writer.deleteFinished(before, limit);
  }

  async ping(): Promise<void> {
    await (await this.#open()).ping();
  }

  /** Writes what was handed in, then closes the database. Whatever comes later is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#database ?? (await this.#opening?.catch(() => null));
    await opened?.close();
  }

  #open(): Promise<OpenDatabase> {
    if (this.#isClosed) return Promise.reject(closedError(this.#path));
    this.#opening ??= this.#openOnce();
    return this.#opening;
  }

  async #openOnce(): Promise<OpenDatabase> {
    const listeners = { publish: this.publish.bind(this), onWrite: this.#onWrite };
    try {
      this.#database = this.isDurable
        ? await OpenDatabase.file(this.#path, listeners)
        : await OpenDatabase.memory(listeners);
      return this.#database;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }

  async #hot(taskId: string): Promise<HotTask | undefined> {
    return (await this.#open()).writer.hotTasks.get(taskId);
  }

  async #read<T>(query: (reads: Reads) => Promise<T>): Promise<T> {
    return (await this.#open()).read(query);
  }
}

function byAge(questions: Iterable<QuestionData>): QuestionData[] {
  return [...questions].sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
}
