import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MigrationList } from "@prisma/schema-engine-wasm";
import { packageRoot } from "./package-root.ts";

/** One migration as it lies in `prisma/migrations/<name>/migration.sql`. */
export interface MigrationFile {
  /** `<timestamp>_<what it does>`; migrations are applied in the order of their names. */
  name: string;
  sql: string;
  /** SHA-256 of the file, as Prisma records it. */
  checksum: string;
}

/** `migration_lock.toml`, by which Prisma's tools know which database the migrations are for. */
export const lockfileText = `# Written by toolthread's db:migration, for Prisma's tools.
provider = "sqlite"
`;

export function migrationsFolder(): string {
  return join(packageRoot(), "prisma", "migrations");
}

export function readMigrationFiles(folder: string = migrationsFolder()): MigrationFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

/** The migrations as Prisma's schema engine takes them. */
export function toMigrationList(migrations: readonly MigrationFile[]): MigrationList {
  return {
    baseDir: migrationsFolder(),
    lockfile: { path: "migration_lock.toml", content: lockfileText },
    shadowDbInitScript: "",
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
    })),
  };
}
