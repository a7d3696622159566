import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { MigrationRefused, StoreUnavailable } from "../core/errors.ts";
import { AuditReads } from "./audit-reads.ts";
import { CommandWriter, closedError, type WriterOptions } from "./command-writer.ts";
import { sqliteCodeOf, toStoreError } from "./database-error.ts";
import { FileLock } from "./file-lock.ts";
import { PrismaClient } from "./generated/client.ts";
import { migrate } from "./migrate.ts";
import { PrismaIdentityStore } from "./prisma-identity-store.ts";
import { PrismaPushStore } from "./prisma-push-store.ts";
import { PrismaReads } from "./prisma-reads.ts";
import { RollupReads } from "./rollup-reads.ts";
import { SqliteAuditLog } from "./sqlite-audit-log.ts";
import { adapterFactoryOf, inMemory, SqliteConnection } from "./sqlite-connection.ts";
import { TaskList } from "./task-list.ts";
import { writerAdapterFactory } from "./writer-adapter.ts";

// Seconds. The writer waits for locks by itself, without blocking the event loop.
const writerBusyTimeout = 0.01;
const readerBusyTimeout = 1;

export interface Reads {
  reads: PrismaReads;
  taskList: TaskList;
  audit: AuditReads;
  rollups: RollupReads;
}

/** Who hears of what is committed. */
type StoreListeners = Pick<WriterOptions, "publish" | "onWrite">;

/** A database that is open: its writer, and a second connection that only reads. */
export class OpenDatabase {
  readonly writer: CommandWriter;
  readonly identity: PrismaIdentityStore;
  readonly pushTargets: PrismaPushStore;
  readonly audit: SqliteAuditLog;
  readonly #file: string;
  readonly #prisma: PrismaClient;
  /** Writes what is no command, in turns with the writer. */
  readonly #writing: PrismaClient;
  readonly #reads: Reads;
  readonly #turns: Turns | null;
  readonly #lock: FileLock | null;
  readonly #requireInPlace: () => void;
  #isClosed = false;

  private constructor(parts: {
    file: string;
    writer: CommandWriter;
    prisma: PrismaClient;
    turns: Turns | null;
    lock: FileLock | null;
    requireInPlace: () => void;
  }) {
    this.writer = parts.writer;
    this.#file = parts.file;
    this.#prisma = parts.prisma;
    this.#turns = parts.turns;
    this.#lock = parts.lock;
    this.#requireInPlace = parts.requireInPlace;
    const options = { adapter: writerAdapterFactory(parts.writer), log: [] };
    this.#writing = new PrismaClient(options);
    this.identity = new PrismaIdentityStore(this.#writing, parts.file);
    this.pushTargets = new PrismaPushStore(this.#writing, parts.file);
    this.#reads = {
      reads: new PrismaReads(parts.prisma),
      taskList: new TaskList(parts.prisma),
      audit: new AuditReads(parts.prisma),
      rollups: new RollupReads(parts.prisma),
    };
    this.audit = new SqliteAuditLog(parts.file, parts.writer, (query) =>
      this.read(({ audit }) => query(audit)),
    );
  }

  /**
   * Opens a file: makes its folder, takes its lock, brings it up to date.
   *
   * @throws StoreLocked, MigrationRefused, StoreUnavailable
   */
  static async file(path: string, listeners: StoreListeners): Promise<OpenDatabase> {
    let lock: FileLock | null = null;
    try {
      const file = prepareFile(path);
      lock = FileLock.take(file);
      const connection = await SqliteConnection.open(file, { busyTimeout: readerBusyTimeout });
      try {
        await migrate(connection, file);
      } finally {
        await connection.close();
      }
      const requireInPlace = placeOf(file);
      const writer = new CommandWriter({
        file,
        requireInPlace,
        connect: () =>
          SqliteConnection.open(file, { busyTimeout: writerBusyTimeout, mustExist: true }),
        exclusively: (transaction) => transaction(),
        ...listeners,
      });
      await writer.open();
      const reader = adapterFactoryOf(
        async () => {
          const options = { busyTimeout: readerBusyTimeout, readonly: true };
          return (await SqliteConnection.open(file, options)).adapter;
        },
        (adapter) => adapter.dispose(),
      );
      const prisma = new PrismaClient({ adapter: reader, log: [] });
      return new OpenDatabase({ file, writer, prisma, turns: null, lock, requireInPlace });
    } catch (error) {
      lock?.release();
      throw openingError(error, path);
    }
  }

  /**
   * Opens a database in memory. There is one connection for reads and writes, so they take turns:
   * a read in the middle of the writer's transaction would see what may yet be rolled back.
   */
  static async memory(listeners: StoreListeners): Promise<OpenDatabase> {
    const connection = await SqliteConnection.open(inMemory, { busyTimeout: 0 });
    await migrate(connection, inMemory);
    const turns = new Turns();
    const requireInPlace = () => {};
    const writer = new CommandWriter({
      file: inMemory,
      requireInPlace,
      connect: async () => connection,
      exclusively: (transaction) => turns.take(transaction),
      ...listeners,
    });
    await writer.open();
    const shared = adapterFactoryOf(
      async () => connection.adapter,
      async () => undefined,
    );
    const prisma = new PrismaClient({ adapter: shared, log: [] });
    return new OpenDatabase({ file: inMemory, writer, prisma, turns, lock: null, requireInPlace });
  }

  /** Runs a read. @throws StoreUnavailable when the database cannot be read now. */
  async read<T>(query: (reads: Reads) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closedError(this.#file);
    try {
      return await (this.#turns ? this.#turns.take(() => query(this.#reads)) : query(this.#reads));
    } catch (error) {
      // A connection that failed may never recover; the next read makes a new one.
      if (sqliteCodeOf(error) !== null && !this.#turns) await this.#prisma.$disconnect();
      throw toStoreError(error, this.#file);
    }
  }

  /**
   * Proves that the database can be read and written.
   *
   * @throws StoreUnavailable when it cannot, or when its file was moved away.
   */
  async ping(): Promise<void> {
    await this.read(({ reads }) => reads.ping());
    this.#requireInPlace();
    await this.writer.prove();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing.$disconnect();
    await this.writer.close();
    await this.#prisma.$disconnect();
    this.#lock?.release();
  }
}

/** Lets one thing happen at a time, in the order of asking. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(use: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(use);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** Makes the folder, and follows links, so that one file has one lock whatever it is called. */
function prepareFile(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = existsSync(path)
    ? realpathSync(path)
    : join(realpathSync(dirname(path)), basename(path));
  if (existsSync(file) && !isSqliteFile(file)) throw notADatabase(file);
  // Made here, for nobody else to read; SQLite gives the files beside it the same rights.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  return file;
}

/**
 * What throws StoreUnavailable once another file, or none, is where this one is now. SQLite does not
 * notice by itself: it would go on to write into a file that nobody finds again.
 */
function placeOf(file: string): () => void {
  const { ino } = statSync(file);
  return () => {
    if (statSync(file, { throwIfNoEntry: false })?.ino === ino) return;
    throw new StoreUnavailable(
      `The database ${file} was moved or deleted while it was open. Put it back, with the files ` +
        "beside it that begin with its name, or restart.",
      { file, reason: "its file was moved or deleted; put it back, or restart" },
    );
  };
}

function isSqliteFile(file: string): boolean {
  const opened = openSync(file, "r");
  try {
    const head = Buffer.alloc(16);
    const length = readSync(opened, head, 0, 16, 0);
    return length === 0 || head.toString("latin1") === "SQLite format 3\0";
  } finally {
    closeSync(opened);
  }
}

function notADatabase(file: string): MigrationRefused {
  return new MigrationRefused(
    `The database ${file} was not opened: it is not a SQLite database, or it is damaged. Restore a ` +
      "backup, or move the file away to begin with an empty database.",
    { file, problem: "damaged" },
  );
}

function openingError(error: unknown, path: string): Error {
  if (/CORRUPT|NOTADB/.test(sqliteCodeOf(error) ?? "")) return notADatabase(path);
  return toStoreError(error, path);
}
