import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
} from "@prisma/driver-adapter-utils";
import type { SchemaEngine, SchemaFilter } from "@prisma/schema-engine-wasm";
import { adapterFactoryOf, inMemory } from "./sqlite-connection.ts";

type Bindings = typeof import("@prisma/schema-engine-wasm/schema_engine_bg") & {
  __wbg_set_wasm(exports: WebAssembly.Exports): void;
};

let bindings: Promise<Bindings> | null = null;

// The full-text index and the tables that SQLite keeps it in. Prisma's schema cannot say them; the
// migration that makes them is all there is.
const textTables = [
  "task_text",
  ...["config", "data", "docsize", "idx"].map((n) => `task_text_${n}`),
];

/** What schema and migrations are not compared in. */
export const schemaFilter: SchemaFilter = { externalTables: textTables, externalEnums: [] };

/**
 * Prisma's schema engine on a connection, which stays its owner's to close. It is WebAssembly and
 * is loaded only when there is something to migrate. Its own entry imports the `.wasm` file like a
 * module, which Node does not do, so it is put together here.
 */
export async function openSchemaEngine(adapter: SqlDriverAdapter): Promise<SchemaEngine> {
  bindings ??= load();
  const { SchemaEngine } = await bindings;
  const factory = bindMigrationAwareSqlAdapterFactory({
    ...adapterFactoryOf(
      async () => readable(adapter),
      async () => undefined,
    ),
    connectToShadowDb: () => new PrismaBetterSqlite3({ url: inMemory }).connect(),
  });
  return SchemaEngine.new({ datamodels: undefined }, () => undefined, factory);
}

/**
 * The engine asks for the text of a partial index with its name in double quotes, which
 * better-sqlite3's SQLite takes for a column; single quotes make it the text that is meant.
 */
function readable(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const queryRaw: SqlDriverAdapter["queryRaw"] = (query) => {
    const sql = query.sql.replace(/(FROM sqlite_master .* name = )"([^"']*)"/, "$1'$2'");
    return adapter.queryRaw({ ...query, sql });
  };
  return new Proxy(adapter, {
    get(target, name) {
      if (name === "queryRaw") return queryRaw;
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

async function load(): Promise<Bindings> {
  const bg = (await import("@prisma/schema-engine-wasm/schema_engine_bg")) as Bindings;
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm");
  const bytes = readFileSync(entry.replace(/schema_engine\.js$/, "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, {
    "./schema_engine_bg.js": bg as unknown as WebAssembly.ModuleImports,
  });
  bg.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bg;
}
