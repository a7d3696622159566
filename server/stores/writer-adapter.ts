import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlResultSet,
  Transaction,
} from "@prisma/driver-adapter-utils";
import type { CommandWriter } from "./command-writer.ts";

const info = { provider: "sqlite", adapterName: "@prisma/adapter-better-sqlite3" } as const;

/**
 * Lets a Prisma client write through the database's one writer: each statement, and each
 * transaction as a whole, takes its turn among the writer's batches. A second writing connection in
 * this process would wait for the writer's lock without ever letting the writer go on.
 *
 * Within an interactive transaction only its own client may be used: another statement of the same
 * program would wait for its turn, which comes after the transaction.
 */
class WriterAdapter implements SqlDriverAdapter {
  readonly provider = info.provider;
  readonly adapterName = info.adapterName;
  readonly #writer: CommandWriter;

  constructor(writer: CommandWriter) {
    this.#writer = writer;
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#writer.exclusively(({ adapter }) => adapter.queryRaw(query));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#writer.exclusively(({ adapter }) => adapter.executeRaw(query));
  }

  executeScript(script: string): Promise<void> {
    return this.#writer.exclusively(({ adapter }) => adapter.executeScript(script));
  }

  startTransaction(): Promise<Transaction> {
    return new Promise((resolve, reject) => {
      // Takes the writer's turn, and keeps it until the transaction is over.
      const turn: Promise<void> = this.#writer.exclusively(
        ({ adapter }) =>
          new Promise<void>((commit, fail) => {
            resolve({
              ...info,
              // The writer begins and commits: Prisma is not to send the statements for it.
              options: { usePhantomQuery: true },
              queryRaw: (query) => adapter.queryRaw(query),
              executeRaw: (query) => adapter.executeRaw(query),
              commit: () => {
                commit();
                return turn;
              },
              rollback: () => {
                fail(new RolledBack("rolled back"));
                return turn.catch(ignoreRollback);
              },
            });
          }),
      );
      // Before the transaction is handed out this is its failure; after that, `commit` tells.
      turn.catch(reject);
    });
  }

  /** The writer belongs to the store, which closes it. */
  async dispose(): Promise<void> {}
}

/** What a Prisma client connects with. */
export function writerAdapterFactory(writer: CommandWriter): SqlDriverAdapterFactory {
  return { ...info, connect: async () => new WriterAdapter(writer) };
}

/** Ends the writer's transaction without a commit. */
class RolledBack extends Error {}

function ignoreRollback(error: unknown): void {
  if (!(error instanceof RolledBack)) throw error;
}
