/**
 * `npm run db:migration -- NAME` writes the next migration: what turns the tables that the present
 * migrations make into those that `prisma/schema.prisma` describes.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrate } from "./migrate.ts";
import {
  lockfileText,
  type MigrationFile,
  migrationsFolder,
  readMigrationFiles,
} from "./migration-files.ts";
import { packageRoot } from "./package-root.ts";
import { openSchemaEngine, schemaFilter } from "./schema-engine.ts";
import { inMemory, SqliteConnection } from "./sqlite-connection.ts";

/** The SQL that is missing between the migrations and the schema; null when they agree. */
export async function missingSql(
  migrations: MigrationFile[] = readMigrationFiles(),
  schema: string = readFileSync(join(packageRoot(), "prisma", "schema.prisma"), "utf8"),
): Promise<string | null> {
  const connection = await SqliteConnection.open(inMemory, { busyTimeout: 0 });
  await migrate(connection, "made from the migrations", migrations);
  const engine = await openSchemaEngine(connection.adapter);
  const files = [{ path: "schema.prisma", content: schema }];
  try {
    const { stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: packageRoot() },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: schemaFilter,
    });
    const text = stdout?.trim() ?? "";
    return text === "" || text === "-- This is an empty migration." ? null : `${text}\n`;
  } finally {
    engine.free();
    await connection.close();
  }
}

/** @returns the folder it wrote, or null when there is nothing to migrate. */
export async function writeMigration(
  name: string,
  now: Date,
  folder: string = migrationsFolder(),
): Promise<string | null> {
  const sql = await missingSql(readMigrationFiles(folder));
  if (sql === null) return null;
  const stamp = now.toISOString().replace(/\D/g, "").slice(0, 14);
  const path = join(folder, `${stamp}_${name}`);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "migration.sql"), sql);
  writeFileSync(join(folder, "migration_lock.toml"), lockfileText);
  return path;
}

async function main(): Promise<void> {
  const name = process.argv[2] ?? "";
  if (!/^[a-z0-9_]{1,60}$/.test(name)) {
    process.stderr.write(
      "Say what the migration does: npm run db:migration -- NAME, in a-z, 0-9 and _, " +
        "for example add_task_owner\n",
    );
    process.exitCode = 1;
    return;
  }
  const path = await writeMigration(name, new Date());
  process.stdout.write(
    path === null
      ? "Nothing to migrate: the migrations make exactly what prisma/schema.prisma describes.\n"
      : `Wrote ${join(path, "migration.sql")}. Read it, then commit it.\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
