import Database from "better-sqlite3";

/**
 * The baseline of the benches that write: rows per second that better-sqlite3 inserts, one a
 * transaction, into a table like our events, with the pragmas our store uses.
 */
export function baselineRowsPerSecond(file: string, rows = 3000): number {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec(
    "CREATE TABLE events (position INTEGER PRIMARY KEY AUTOINCREMENT, task_id TEXT NOT NULL, " +
      "seq INTEGER NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL, data TEXT NOT NULL, " +
      "UNIQUE (task_id, seq))",
  );
  const insert = database.prepare(
    "INSERT INTO events (task_id, seq, kind, at, data) VALUES (?, ?, ?, ?, ?)",
  );
  const from = performance.now();
  for (let seq = 1; seq <= rows; seq += 1) {
    const data = JSON.stringify({ message: `update ${seq} of a task that posts many` });
    insert.run("task_1", seq, "update", new Date().toISOString(), data);
  }
  const perSecond = (rows / (performance.now() - from)) * 1000;
  database.close();
  return perSecond;
}
