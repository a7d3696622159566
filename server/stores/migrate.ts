import { MigrationRefused } from "../core/errors.ts";
import {
  type MigrationFile,
  migrationsFolder,
  readMigrationFiles,
  toMigrationList,
} from "./migration-files.ts";
import { openSchemaEngine, schemaFilter } from "./schema-engine.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

interface AppliedMigration {
  name: string;
  checksum: string;
  isFinished: number;
}

/**
 * Brings the database to the newest migration, or finds that it is there. All that is missing is
 * one transaction: a database is never left between two versions.
 *
 * @throws MigrationRefused when the database is newer than this program, when a migration was edited
 *   after it was applied, when one failed, or when the tables are not toolthread's.
 */
export async function migrate(
  connection: SqliteConnection,
  file: string,
  migrations: MigrationFile[] = readMigrationFiles(),
): Promise<void> {
  if (isUpToDate(await readApplied(connection, file), migrations, file)) return;
  await connection.run("BEGIN IMMEDIATE");
  try {
    // Read again under the lock: it counts what is there now.
    if (!isUpToDate(await readApplied(connection, file), migrations, file)) {
      await apply(connection, migrations, file);
    }
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** False when migrations are missing; throws when the history is not a beginning of ours. */
function isUpToDate(
  applied: AppliedMigration[],
  migrations: MigrationFile[],
  file: string,
): boolean {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, isFinished } of applied) {
    if (!isFinished) {
      throw refused(
        file,
        `its migration ${name} began and did not finish, so its tables may be half changed. ` +
          "Restore a backup from before it, or finish it by hand and mark it with " +
          "`npx prisma migrate resolve`.",
        { migration: name, problem: "failed" },
      );
    }
    const migration = known.get(name);
    if (!migration) {
      throw refused(
        file,
        `it was written by a newer version of toolthread, which added ${name}. ` +
          "Start that version, or restore a backup from before the update.",
        { migration: name, problem: "newer" },
      );
    }
    if (migration.checksum !== checksum) {
      throw refused(
        file,
        `its migration ${name} is not the one this program has: the file was edited after it was ` +
          "applied. Put the original file back (a change needs a migration of its own).",
        { migration: name, problem: "edited" },
      );
    }
  }
  if (applied.some(({ name }, i) => migrations[i]?.name !== name)) {
    throw refused(
      file,
      "its migrations were applied in another order than this program's, so a file is missing or " +
        `was added in between. Compare it with ${migrationsFolder()}.`,
      { problem: "order" },
    );
  }
  return applied.length === migrations.length;
}

async function readApplied(
  connection: SqliteConnection,
  file: string,
): Promise<AppliedMigration[]> {
  const tables = await connection.rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  const names = tables.map(({ name }) => name);
  if (names.includes("_prisma_migrations")) {
    return connection.rows<AppliedMigration>(
      "SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS isFinished " +
        "FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name",
    );
  }
  if (names.length === 0) return [];
  throw refused(
    file,
    `it has tables (${names.slice(0, 5).join(", ")}) but no record of migrations, so it belongs to ` +
      "another program. Choose another file or data folder.",
    { problem: "foreign" },
  );
}

async function apply(
  connection: SqliteConnection,
  migrations: MigrationFile[],
  file: string,
): Promise<void> {
  // Inside our transaction; the engine alone would leave a half-applied migration after a crash.
  const engine = await openSchemaEngine(connection.adapter);
  try {
    const migrationsList = toMigrationList(migrations);
    await engine.applyMigrations({ migrationsList, filters: schemaFilter });
  } catch (error) {
    // Below its first line the engine's message is a trace through its own source.
    const [what] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw refused(
      file,
      `bringing it up to date failed, and it was left as it was: ${what?.replace(/\.$/, "")}. Mend that and start ` +
        "again; if its tables were changed by hand, restore a backup.",
      { problem: "not_applied" },
    );
  } finally {
    engine.free();
  }
  const broken = await connection.rows<{ table: string }>("PRAGMA foreign_key_check");
  if (broken.length > 0) {
    throw refused(
      file,
      `bringing it up to date would leave rows of ${broken[0]?.table} without their task; it was ` +
        "left as it was. Restore a backup.",
      { problem: "not_applied" },
    );
  }
}

function refused(file: string, why: string, details: Record<string, string>): MigrationRefused {
  return new MigrationRefused(`The database ${file} was not opened: ${why}`, { file, ...details });
}
