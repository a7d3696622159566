/**
 * SQLite's way to write many rows in one statement: the rows go in as one JSON text and
 * `json_each` takes them apart. The one place, with loading by ids, that another database would
 * have in words of its own.
 */
import { toColumnValue } from "./column-text.ts";
import { type Columns, selectList } from "./table-columns.ts";

/** Inserts the rows; with `upsertBy`, rows that exist by these columns are overwritten. */
export function insertRows<Row>(
  table: string,
  columns: Columns<Row>,
  upsertBy: readonly string[] = [],
): string {
  const names = Object.values<string>(columns);
  const insert =
    `INSERT INTO "${table}" (${names.map(quoted).join(", ")}) ` +
    `SELECT ${names.map((_, i) => `j.value ->> ${i}`).join(", ")} FROM json_each(?) AS j WHERE true`;
  if (upsertBy.length === 0) return insert;
  const updates = names
    .filter((name) => !upsertBy.includes(name))
    .map((name) => `${quoted(name)} = excluded.${quoted(name)}`);
  return `${insert} ON CONFLICT (${upsertBy.map(quoted).join(", ")}) DO UPDATE SET ${updates.join(", ")}`;
}

/** Inserts the rows; to one that exists by these columns, the others are added. */
export function addRows<Row>(table: string, columns: Columns<Row>, by: readonly string[]): string {
  const adding = Object.values<string>(columns)
    .filter((name) => !by.includes(name))
    .map((name) => `${quoted(name)} = ${quoted(name)} + excluded.${quoted(name)}`);
  const conflict = `ON CONFLICT (${by.map(quoted).join(", ")}) DO UPDATE SET ${adding.join(", ")}`;
  return `${insertRows(table, columns)} ${conflict}`;
}

/** Updates the named columns of rows found by `key`, whose value is the first of each row. */
export function updateRows(table: string, key: string, names: readonly string[]): string {
  const sets = names.map((name, i) => `${quoted(name)} = j.value ->> ${i + 1}`);
  return (
    `UPDATE "${table}" SET ${sets.join(", ")} FROM json_each(?) AS j ` +
    `WHERE "${table}".${quoted(key)} = j.value ->> 0`
  );
}

/**
 * The rows `t` that belong to an entry `j` of a JSON list, under the names of their fields. The
 * cross join keeps the list outside, so that each entry is one search of an index.
 */
export function selectByList<Row>(table: string, columns: Columns<Row>, condition: string): string {
  return (
    `SELECT ${selectList(columns, "t")} FROM json_each(?) AS j ` +
    `CROSS JOIN "${table}" AS t ON ${condition}`
  );
}

const maxRows = 1000;
const maxChars = 4 * 1024 * 1024;

/** JSON lists of rows, none longer than a thousand rows or, but for a single row, 4 MB. */
export function* rowChunks(rows: Iterable<readonly unknown[]>): Generator<string> {
  let chunk: string[] = [];
  let chars = 0;
  for (const row of rows) {
    const text = JSON.stringify(row.map(toColumnValue));
    if (chunk.length > 0 && (chunk.length >= maxRows || chars + text.length > maxChars)) {
      yield `[${chunk.join(",")}]`;
      chunk = [];
      chars = 0;
    }
    chunk.push(text);
    chars += text.length;
  }
  if (chunk.length > 0) yield `[${chunk.join(",")}]`;
}

function quoted(name: string): string {
  return `"${name}"`;
}
