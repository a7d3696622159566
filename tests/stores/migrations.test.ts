import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "../../server/stores/migrate.ts";
import { type MigrationFile, readMigrationFiles } from "../../server/stores/migration-files.ts";
import { packageRoot } from "../../server/stores/package-root.ts";
import { SqliteConnection } from "../../server/stores/sqlite-connection.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { missingSql, writeMigration } from "../../server/stores/write-migration.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolthread-"));
  file = join(folder, "tasks.db");
});

afterEach(() => rmSync(folder, { recursive: true }));

async function createDatabase(): Promise<void> {
  const store = await SQLiteStore.open(file);
  await store.createTask("t", "demo", {});
  await store.close();
}

function edit(sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

/** Opens the file with these migrations instead of the package's. */
async function migrateWith(migrations: MigrationFile[]): Promise<void> {
  const connection = await SqliteConnection.open(file, { busyTimeout: 1 });
  try {
    await migrate(connection, file, migrations);
  } finally {
    await connection.close();
  }
}

function writeMigrations(scripts: Record<string, string>): MigrationFile[] {
  const base = mkdtempSync(join(folder, "migrations-"));
  for (const [name, sql] of Object.entries(scripts)) {
    mkdirSync(join(base, name));
    writeFileSync(join(base, name, "migration.sql"), sql);
  }
  return readMigrationFiles(base);
}

async function expectRefusal(problem: string, words: RegExp): Promise<void> {
  await expect(SQLiteStore.open(file)).rejects.toMatchObject({
    code: "migration_refused",
    message: expect.stringMatching(words),
    details: { problem },
  });
}

test("the migrations make exactly the tables of the schema", async () => {
  expect(readMigrationFiles().length).toBeGreaterThan(0);
  expect(await missingSql()).toBeNull();
});

test("a difference between schema and migrations is found, in indexes too", async () => {
  const schema = readFileSync(join(packageRoot(), "prisma", "schema.prisma"), "utf8");
  const changed = async (from: string, to: string) => {
    expect(schema).toContain(from);
    return missingSql(readMigrationFiles(), schema.replace(from, to));
  };
  const label = "  value     String\n  createdAt String @map";
  expect(await changed(label, label.replace("String\n", "String?\n"))).toMatch(/task_labels/);
  expect(await changed("  @@index([status, createdAt, id])\n", "")).toMatch(/DROP INDEX/);
});

test("the next migration is written when there is something to write", async () => {
  const base = join(folder, "migrations");
  const path = await writeMigration("init", new Date("2026-12-24T18:00:05Z"), base);
  expect(path).toBe(join(base, "20261224180005_init"));
  expect(readFileSync(join(path!, "migration.sql"), "utf8")).toContain('CREATE TABLE "tasks"');
  expect(existsSync(join(base, "migration_lock.toml"))).toBe(true);
  expect(await writeMigration("again", new Date("2026-12-25T00:00:00Z"), base)).toBeNull();
});

test("an empty folder, or none, becomes a database, as does an empty file", async () => {
  const store = await SQLiteStore.open(join(folder, "deep", "er", "tasks.db"));
  await store.ping();
  await store.close();
  writeFileSync(file, "");
  await createDatabase();
});

test("a database that is up to date opens as it is", async () => {
  await createDatabase();
  const store = await SQLiteStore.open(file);
  expect(await store.getTaskStatus("t")).toBe("pending");
  await store.close();
  const database = new Database(file);
  const rows = database.prepare("SELECT migration_name AS name FROM _prisma_migrations").all();
  expect(rows).toEqual(readMigrationFiles().map(({ name }) => ({ name })));
  database.close();
});

test("an older database is brought up and keeps its rows", async () => {
  const one = "CREATE TABLE a (id INTEGER PRIMARY KEY);\nINSERT INTO a VALUES (7);";
  const two = "ALTER TABLE a ADD COLUMN note TEXT;";
  const three = "CREATE INDEX a_note ON a(note);";
  await migrateWith(writeMigrations({ "1_one": one }));
  await migrateWith(writeMigrations({ "1_one": one, "2_two": two, "3_three": three }));
  await migrateWith(writeMigrations({ "1_one": one, "2_two": two, "3_three": three }));
  const database = new Database(file);
  expect(database.prepare("SELECT * FROM a").all()).toEqual([{ id: 7, note: null }]);
  const applied = database.prepare("SELECT count(*) AS count FROM _prisma_migrations").get();
  expect(applied).toEqual({ count: 3 });
  database.close();
});

test("a migration that fails leaves the database as it was, and a mended one goes on", async () => {
  const one = "CREATE TABLE a (id INTEGER PRIMARY KEY);";
  const broken = "CREATE TABLE b (id INTEGER);\nINSERT INTO missing VALUES (1);";
  await migrateWith(writeMigrations({ "1_one": one }));
  const failing = migrateWith(writeMigrations({ "1_one": one, "2_two": broken }));
  await expect(failing).rejects.toMatchObject({
    code: "migration_refused",
    message: expect.stringMatching(/left as it was: .*`missing` does not exist\. Mend/),
    details: { problem: "not_applied" },
  });
  const mended = broken.replace("INTO missing", "INTO b");
  await migrateWith(writeMigrations({ "1_one": one, "2_two": mended }));
  const database = new Database(file);
  expect(database.prepare("SELECT * FROM b").all()).toEqual([{ id: 1 }]);
  database.close();
});

test("a newer database is refused", async () => {
  await createDatabase();
  edit(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, " +
      "applied_steps_count) VALUES ('x', 'y', '29991231235959_future', 1, 2, 1)",
  );
  await expectRefusal("newer", /written by a newer version.*29991231235959_future.*Start that/);
});

test("an edited migration is refused", async () => {
  await createDatabase();
  edit("UPDATE _prisma_migrations SET checksum = 'other'");
  await expectRefusal("edited", /edited after it was applied.*Put the original file back/);
});

test("a half-applied migration is refused, and one marked as rolled back is not counted", async () => {
  await createDatabase();
  edit("UPDATE _prisma_migrations SET finished_at = NULL");
  await expectRefusal("failed", /began and did not finish.*Restore a backup/);
  edit(
    "UPDATE _prisma_migrations SET finished_at = started_at;" +
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, rolled_back_at, " +
      "applied_steps_count) VALUES ('x', 'y', '29991231235959_undone', 1, 2, 0)",
  );
  await (await SQLiteStore.open(file)).close();
});

test("a migration added before ones that were applied is refused", async () => {
  const one = "CREATE TABLE a (id INTEGER);";
  await migrateWith(writeMigrations({ "2_two": one }));
  const added = writeMigrations({ "1_one": "CREATE TABLE b (id INTEGER);", "2_two": one });
  await expect(migrateWith(added)).rejects.toMatchObject({ details: { problem: "order" } });
});

test("another program's database is left alone", async () => {
  edit("CREATE TABLE customers (id INTEGER)");
  await expectRefusal("foreign", /has tables \(customers\).*belongs to another program/);
});

test("what is not a database is left alone", async () => {
  const text = "these are notes, not a database; ".repeat(200);
  writeFileSync(file, text);
  await expectRefusal("damaged", /not a SQLite database, or it is damaged.*Restore a backup/);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a damaged database is refused", async () => {
  await createDatabase();
  const bytes = readFileSync(file);
  bytes.fill(0xff, 100);
  writeFileSync(file, bytes);
  await expectRefusal("damaged", /damaged/);
});
