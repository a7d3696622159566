import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Command, CommandKind, CommandResult } from "../core/command.ts";
import type { Change } from "../core/durable-task-store.ts";
import { StoreUnavailable } from "../core/errors.ts";
import type { QuestionData } from "../core/task-question.ts";
import { type TaskStatus, taskStatuses } from "../core/task-status.ts";
import type { Timestamp } from "../core/timestamp.ts";
import { loadBatch, writeBatch } from "./batch-sql.ts";
import { fromColumnText } from "./column-text.ts";
import { CommandBatch, type CommandOutcome } from "./command-batch.ts";
import { isBusy, isInfrastructureFault, sqliteCodeOf, toStoreError } from "./database-error.ts";
import { HotTasks } from "./hot-tasks.ts";
import { RecentEvents } from "./recent-events.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

interface Pending {
  command: Command;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** What the writer knows of what is committed. */
interface Committed {
  lastPosition: number;
  counts: Record<TaskStatus, number>;
  openQuestions: number;
  recentEvents: RecentEvents;
}

interface Known {
  connection: SqliteConnection;
  committed: Committed;
}

export interface WriterOptions {
  /** Named in errors. */
  file: string;
  /** @throws StoreUnavailable when the database is no longer where it was opened. */
  requireInPlace(): void;
  connect(): Promise<SqliteConnection>;
  /** Runs a transaction when nothing else uses the connection. */
  exclusively<T>(transaction: () => Promise<T>): Promise<T>;
  publish(change: Change): void;
  /** Told of each transaction of commands once it is committed. */
  onWrite?(write: { commands: number; seconds: number }): void;
}

// Bounds how long one batch keeps the event loop: about 10 ms.
const maxCommands = 1000;
// Seconds to wait for another program's lock before callers are told.
const lockPatience = 2;
// Seconds for which a write that succeeded proves that the database can be written.
const proofLasts = 5;

/**
 * The one writer of a database. Commands queue; a batch takes all that gathered while the one
 * before was written, and is one transaction. What is acknowledged is on the disk.
 *
 * A command the state machine refuses fails alone. A batch the database refuses is halved until
 * the write at fault is alone. When the database itself is at fault, all commands there are fail with
 * StoreUnavailable, those that wait for the next batch too, so that none overtakes one that is tried
 * again. What comes later is tried anew: recovery needs nobody's help.
 */
export class CommandWriter {
  readonly hotTasks = new HotTasks();
  readonly #options: WriterOptions;
  #connection: SqliteConnection | null = null;
  #committed: Committed | null = null;
  #refreshing: Promise<Known> | null = null;
  #queue: Pending[] = [];
  /** Transactions that are no commands; one runs after each batch. */
  #chores: (() => Promise<void>)[] = [];
  #working: Promise<void> | null = null;
  #proving: Promise<void> | null = null;
  /** When a write last succeeded, by `performance.now()`; none since the last fault when null. */
  #provenAt: number | null = null;
  #isClosed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Opens the connection. @throws StoreUnavailable */
  async open(): Promise<void> {
    try {
      await this.#refresh();
    } catch (error) {
      throw toStoreError(error, this.#options.file);
    }
  }

  commit<K extends CommandKind>(command: Command<K>): Promise<CommandResult<K>> {
    if (this.#isClosed) return Promise.reject(closedError(this.#options.file));
    return new Promise<CommandResult<K>>((resolve, reject) => {
      this.#queue.push({
        command: command as Command,
        resolve: resolve as (result: unknown) => void,
        reject,
      });
      this.#working ??= this.#work();
    });
  }

  /** Removes up to `limit` tasks that ended before a moment. @throws StoreUnavailable */
  deleteFinished(before: Timestamp, limit: number): Promise<number> {
    if (this.#isClosed) return Promise.reject(closedError(this.#options.file));
    return new Promise((resolve, reject) => {
      this.#chores.push(() => this.#deleteFinished(before, limit).then(resolve, reject));
      this.#working ??= this.#work();
    });
  }

  /** Writes, unless something was written a moment ago. @throws StoreUnavailable */
  prove(): Promise<void> {
    if (this.#isClosed) return Promise.reject(closedError(this.#options.file));
    const isProven = performance.now() - (this.#provenAt ?? -Infinity) < proofLasts * 1000;
    if (isProven) return Promise.resolve();
    this.#proving ??= new Promise<void>((resolve, reject) => {
      this.#chores.push(() => this.#prove().then(resolve, reject));
      this.#working ??= this.#work();
    }).finally(() => {
      this.#proving = null;
    });
    return this.#proving;
  }

  /**
   * Runs statements that are no commands as one transaction, when nothing else is written. What
   * they throw rolls it back, and is thrown as it is.
   */
  exclusively<T>(use: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(closedError(this.#options.file));
    return new Promise<T>((resolve, reject) => {
      this.#chores.push(() => this.#transactExclusively(use).then(resolve, reject));
      this.#working ??= this.#work();
    });
  }

  /** Null while nothing is known because of a fault. */
  get committed(): Readonly<Committed> | null {
    return this.#committed;
  }

  /** What is committed, read from the database when a fault made this forget it. */
  async readAgain(): Promise<Readonly<Committed>> {
    const { exclusively, file } = this.#options;
    try {
      return (await exclusively(() => this.#refresh())).committed;
    } catch (error) {
      throw toStoreError(error, file);
    }
  }

  /** Writes what is queued, then closes the connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
    await this.#connection?.close();
    this.#connection = null;
  }

  async #work(): Promise<void> {
    // From the next turn on, so that what this turn still adds shares the commit; and a turn
    // between batches, so that a stream of commands does not keep everything else waiting.
    for (await nextTurn(); this.#queue.length + this.#chores.length > 0; await nextTurn()) {
      const batch = this.#queue.splice(0, maxCommands);
      if (batch.length > 0) await this.#options.exclusively(() => this.#write(batch));
      const chore = this.#chores.shift();
      if (chore) await this.#options.exclusively(chore);
    }
    this.#working = null;
  }

  async #write(pending: Pending[]): Promise<void> {
    try {
      await this.#transact(pending);
    } catch (error) {
      await this.#afterFault(error);
      const isCommandsFault = !isInfrastructureFault(error);
      if (isCommandsFault && pending.length > 1) {
        const half = pending.length >> 1;
        await this.#write(pending.slice(0, half));
        await this.#write(pending.slice(half));
        return;
      }
      const told = toStoreError(error, this.#options.file);
      const all = isCommandsFault ? pending : [...pending, ...this.#queue.splice(0)];
      for (const { reject } of all) reject(told);
    }
  }

  async #transact(pending: Pending[]): Promise<void> {
    const began = performance.now();
    const { connection, committed } = await this.#begin();
    const batch = new CommandBatch(committed.lastPosition);
    const commands = pending.map(({ command }) => command);
    await loadBatch(connection, batch, commands, this.hotTasks);
    const outcomes = commands.map((command) => batch.decide(command));
    const sizes = await writeBatch(connection, batch);
    await connection.run("COMMIT");
    // No await from here on: nobody sees the database and the memory disagree.
    if (sizes.size > 0) this.#provenAt = performance.now();
    this.#remember(committed, batch, sizes);
    this.#tell(pending, outcomes);
    const seconds = (performance.now() - began) / 1000;
    this.#options.onWrite?.({ commands: pending.length, seconds });
  }

  async #prove(): Promise<void> {
    try {
      const { connection } = await this.#begin();
      // Setting it to what it is writes a page all the same, which needs a lock and room on the disk.
      const [now] = await connection.rows<{ user_version: number }>("PRAGMA user_version");
      await connection.run(`PRAGMA user_version = ${Number(now?.user_version ?? 0)}`);
      await connection.run("COMMIT");
      this.#provenAt = performance.now();
    } catch (error) {
      await this.#afterFault(error);
      throw toStoreError(error, this.#options.file);
    }
  }

  async #deleteFinished(before: Timestamp, limit: number): Promise<number> {
    try {
      const { connection, committed } = await this.#begin();
      // What belongs to a task goes with it: its other rows refer to it with ON DELETE CASCADE.
      const deleted = await connection.rows<{ id: string; status: TaskStatus }>(
        "DELETE FROM tasks WHERE id IN (SELECT id FROM tasks WHERE finished_at < ? " +
          "ORDER BY finished_at LIMIT ?) RETURNING id, status",
        before,
        limit,
      );
      await connection.run("COMMIT");
      for (const { id, status } of deleted) {
        committed.counts[status] -= 1;
        this.hotTasks.delete(fromColumnText(id));
      }
      return deleted.length;
    } catch (error) {
      await this.#afterFault(error);
      throw toStoreError(error, this.#options.file);
    }
  }

  async #transactExclusively<T>(use: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    try {
      const { connection } = await this.#begin();
      try {
        const result = await use(connection);
        await connection.run("COMMIT");
        return result;
      } catch (error) {
        // A refused statement says nothing against the database: what is in memory still counts.
        if (isInfrastructureFault(error)) throw error;
        await connection.run("ROLLBACK");
        throw error;
      }
    } catch (error) {
      if (isInfrastructureFault(error)) await this.#afterFault(error);
      throw error;
    }
  }

  /** Begins a transaction, waiting a while for another program's lock without blocking this one. */
  async #begin(): Promise<Known> {
    const giveUpAt = performance.now() + lockPatience * 1000;
    for (let wait = 5; ; wait = Math.min(wait * 2, 100)) {
      try {
        this.#options.requireInPlace();
        const known = await this.#refresh();
        await known.connection.run("BEGIN IMMEDIATE");
        return known;
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      }
      await pause(wait);
    }
  }

  /** The connection and what is committed, read again after a fault. */
  async #refresh(): Promise<Known> {
    const connection = this.#connection;
    const committed = this.#committed;
    if (connection && committed) return { connection, committed };
    // Shared, because a second one could run into the transaction that begins after the first.
    this.#refreshing ??= this.#readCommitted().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #readCommitted(): Promise<Known> {
    const connection = this.#connection ?? (await this.#options.connect());
    this.#connection = connection;
    const committed = await readCommitted(connection);
    this.#committed = committed;
    return { connection, committed };
  }

  async #afterFault(error: unknown): Promise<void> {
    const connection = this.#connection;
    // SQLite may have rolled back by itself; then there is nothing to roll back.
    await connection?.run("ROLLBACK").catch(() => undefined);
    // Whatever was in memory is read again: after a fault only the database knows.
    this.hotTasks.clear();
    this.#committed = null;
    this.#provenAt = null;
    if (/FULL/.test(sqliteCodeOf(error) ?? "")) {
      // What the log holds moves into the database, where pages that were written often take one
      // place: this may be the room that is missing.
      await connection?.rows("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
    }
    if (!/IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB/.test(sqliteCodeOf(error) ?? "")) return;
    this.#connection = null;
    await connection?.close().catch(() => undefined);
  }

  #remember(
    committed: Committed,
    batch: CommandBatch,
    sizes: ReadonlyMap<string, { chars: number; payloadChars: number }>,
  ): void {
    committed.lastPosition = batch.lastPosition;
    committed.recentEvents.add(batch.events);
    for (const working of batch.tasks.values()) {
      const { taskId, before, task, created, payload, events } = working;
      if (task === null) continue;
      if (before) committed.counts[before.status] -= 1;
      committed.counts[task.status] += 1;
      committed.openQuestions += task.openQuestions - (before?.openQuestions ?? 0);
      if (before && working.isWhole && !this.hotTasks.get(taskId)) {
        this.hotTasks.load(before, openOnes(working.questions.values()));
      }
      const size = sizes.get(taskId);
      if (!size) continue;
      const questions = working.changedQuestions;
      this.hotTasks.apply({ record: task, created, questions, events, payload, ...size });
    }
  }

  #tell(pending: readonly Pending[], outcomes: readonly CommandOutcome[]): void {
    for (const [i, outcome] of outcomes.entries()) {
      const { resolve, reject } = pending[i] as Pending;
      if (outcome.refused) {
        reject(outcome.error);
        continue;
      }
      resolve(outcome.result);
      for (const change of outcome.changes) this.#options.publish(change);
    }
  }
}

export function closedError(file: string): StoreUnavailable {
  return new StoreUnavailable(`The database ${file} is closed in this process.`, { file });
}

async function readCommitted(connection: SqliteConnection): Promise<Committed> {
  // The sequence and not the newest row: positions of deleted events are never given again.
  const [last] = await connection.rows<{ seq: number }>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'events'",
  );
  const counts = Object.fromEntries(taskStatuses.map((status) => [status, 0])) as Record<
    TaskStatus,
    number
  >;
  const rows = await connection.rows<{ status: TaskStatus; count: number }>(
    "SELECT status, count(*) AS count FROM tasks GROUP BY status",
  );
  for (const { status, count } of rows) counts[status] = Number(count);
  const [open] = await connection.rows<{ count: number }>(
    "SELECT count(*) AS count FROM questions WHERE outcome IS NULL",
  );
  const lastPosition = Number(last?.seq ?? 0);
  return {
    lastPosition,
    counts,
    openQuestions: Number(open?.count ?? 0),
    recentEvents: new RecentEvents(lastPosition),
  };
}

function openOnes(questions: Iterable<QuestionData>): QuestionData[] {
  return [...questions].filter(({ outcome }) => outcome === null);
}
