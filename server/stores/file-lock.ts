import Database from "better-sqlite3";
import { StoreLocked } from "../core/errors.ts";
import { isBusy } from "./database-error.ts";

/**
 * The right to be the one process that has a database open. It is an exclusive SQLite lock on an
 * empty file beside the database, which the operating system drops when the process ends, however
 * it ends: there is nothing to clean up after a crash.
 */
export class FileLock {
  readonly #lock: Database.Database;

  private constructor(lock: Database.Database) {
    this.#lock = lock;
  }

  /** @throws StoreLocked when another process, or another store in this one, has it. */
  static take(databasePath: string): FileLock {
    const lock = new Database(`${databasePath}.lock`, { timeout: 0 });
    try {
      lock.pragma("journal_mode = MEMORY");
      lock.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      lock.close();
      if (!isBusy(error)) throw error;
      throw new StoreLocked(
        `The database ${databasePath} is already open, in another process or in this one. Only one ` +
          "may have it. Stop the other one, or give this one a data folder of its own " +
          "(TOOLTHREAD_DATA_DIR).",
        { file: databasePath },
      );
    }
    return new FileLock(lock);
  }

  release(): void {
    this.#lock.close();
  }
}
