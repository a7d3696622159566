import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { Conflict, InvalidInput, StoreUnavailable } from "../core/errors.ts";
import { toStoreError } from "./database-error.ts";
import { FileLock } from "./file-lock.ts";

/**
 * Copies a database into a new file: the state of one moment, also while a server has it open and
 * writes. Everything acknowledged before the call is in it.
 *
 * @throws InvalidInput when there is no such database; Conflict when the new file exists;
 *   StoreUnavailable when either cannot be read or written. Nothing is left behind then.
 */
export function backUpDatabase(file: string, backup: string): void {
  if (!existsSync(file)) throw new InvalidInput(`There is no database ${file} to copy.`);
  if (existsSync(backup)) {
    throw new Conflict(`${backup} exists already. Give the backup a new name.`);
  }
  mkdirSync(dirname(backup), { recursive: true });
  const unfinished = `${backup}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    const source = new Database(file, { readonly: true });
    try {
      // One read transaction: what is written meanwhile is not in it, and waits for nobody.
      // It fills an empty file as well, and one made here nobody else can read.
      closeSync(openSync(unfinished, "w", 0o600));
      source.prepare("VACUUM INTO ?").run(unfinished);
    } finally {
      source.close();
    }
    checkDatabase(unfinished);
    syncFile(unfinished);
    renameSync(unfinished, backup);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw toStoreError(error, file);
  }
}

/**
 * Puts a backup in the place of a database. The old one, if there is one, is kept beside it.
 *
 * @param now names the old one, for example `20261130T120000Z`.
 * @returns where the old database was moved to; null when there was none.
 * @throws StoreLocked while a server has the database open; InvalidInput when the backup does not
 *   exist; StoreUnavailable when it is damaged. The old database is untouched then.
 */
export function restoreDatabase(backup: string, file: string, now: string): string | null {
  if (!existsSync(backup)) throw new InvalidInput(`There is no backup ${backup}.`);
  checkDatabase(backup);
  mkdirSync(dirname(file), { recursive: true });
  const lock = FileLock.take(file);
  const incoming = `${file}.incoming`;
  try {
    copyFileSync(backup, incoming);
    syncFile(incoming);
    const old = existsSync(file) ? moveAside(file, `${file}.before-restore-${now}`) : null;
    renameSync(incoming, file);
    return old;
  } finally {
    rmSync(incoming, { force: true });
    lock.release();
  }
}

/** Moves a database with the files that belong to it: its newest writes may be in the WAL alone. */
function moveAside(file: string, to: string): string {
  for (const ending of ["-wal", "-shm", ""]) {
    if (existsSync(file + ending)) renameSync(file + ending, to + ending);
  }
  return to;
}

function checkDatabase(file: string): void {
  let problem: string;
  try {
    const database = new Database(file, { readonly: true });
    try {
      problem = String(database.pragma("quick_check(1)", { simple: true }));
    } finally {
      database.close();
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  if (problem !== "ok") {
    throw new StoreUnavailable(`${file} is not a sound SQLite database: ${problem}.`, { file });
  }
}

function syncFile(file: string): void {
  const opened = openSync(file, "r+");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
