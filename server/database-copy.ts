/**
 * `npm run db:backup -- FILE` copies the database into FILE, also while the server runs.
 * `npm run db:restore -- FILE` puts such a copy back; the server must not run then.
 *
 * Which database is meant follows from the same settings as for the server. The secret of the data
 * folder is not in the copy: keep it apart.
 */
import { resolve } from "node:path";
import { isToolthreadError } from "./core/errors.ts";
import { InvalidSettings, readSettings } from "./env.ts";
import { backUpDatabase, restoreDatabase } from "./stores/sqlite-backup.ts";

const [action, name] = process.argv.slice(2);

try {
  if ((action !== "backup" && action !== "restore") || !name) {
    throw new InvalidSettings([
      "Say which file: npm run db:backup -- FILE, or db:restore -- FILE.",
    ]);
  }
  const { databaseFile } = readSettings();
  const file = resolve(name);
  if (action === "backup") {
    backUpDatabase(databaseFile, file);
    process.stdout.write(`Copied ${databaseFile} to ${file}.\n`);
  } else {
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
    const old = restoreDatabase(file, databaseFile, stamp);
    process.stdout.write(`Put ${file} in the place of ${databaseFile}.\n`);
    if (old) process.stdout.write(`What was there before is now ${old}.\n`);
  }
} catch (error) {
  const isForPeople = error instanceof InvalidSettings || isToolthreadError(error);
  process.stderr.write(`${isForPeople ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
