import { isJsonObject, type JsonObject, type JsonValue } from "@/server/core/json.ts";
import { entriesOf, isBranch } from "./json-tree.ts";

/** A list of objects that are alike enough to be read as a table. */
export interface JsonTable {
  /** A JSON pointer to the list. */
  path: string;
  /** What it is called: its place in words. */
  name: string;
  rows: JsonObject[];
  columns: string[];
}

const fewestRows = 2;
const mostColumns = 40;
const mostTables = 20;
const deepest = 4;
/** Objects looked at to tell whether they are alike. */
const lookedAt = 200;

/** The lists in a value that can be read as tables, the outermost first. */
export function tablesIn(value: JsonValue): JsonTable[] {
  const found: JsonTable[] = [];
  let level: { path: string; name: string; value: JsonValue }[] = [{ path: "", name: "", value }];
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const each of level) {
      const columns = columnsOf(each.value);
      if (columns !== null) {
        found.push({
          path: each.path,
          name: each.name || "list",
          rows: each.value as JsonObject[],
          columns,
        });
        if (found.length === mostTables) return found;
        continue;
      }
      for (const [key, member] of entriesOf(each.value, lookedAt)) {
        if (!isBranch(member)) continue;
        const token = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
        const name = typeof key === "number" ? `${each.name}[${key}]` : joined(each.name, key);
        next.push({ path: `${each.path}/${token}`, name, value: member });
      }
    }
    level = next;
  }
  return found;
}

/** The columns of a list of objects that are alike; null for anything else. */
function columnsOf(value: JsonValue): string[] | null {
  if (!Array.isArray(value) || value.length < fewestRows || !value.every(isJsonObject)) return null;
  const counts = new Map<string, number>();
  const sample = value.slice(0, lookedAt) as JsonObject[];
  for (const row of sample) {
    for (const key of Object.keys(row)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if (counts.size === 0 || counts.size > mostColumns) return null;
  const cells = [...counts.values()].reduce((sum, count) => sum + count, 0);
  // Where most cells would be empty they are no rows of one table.
  return cells * 2 >= counts.size * sample.length ? [...counts.keys()] : null;
}

/** A cell as text: what a list or object is, in short. */
export function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  return isBranch(value) ? JSON.stringify(value) : String(value);
}

export interface JsonSort {
  column: string;
  descending: boolean;
}

/**
 * The numbers of the rows to show: those in which the text stands, in the order of a column. Numbers
 * are ordered as such, and what has no value comes last either way.
 */
export function shownRows(table: JsonTable, text: string, sort: JsonSort | null): number[] {
  const wanted = text.toLowerCase();
  const { rows, columns } = table;
  const numbers = rows.flatMap((row, i) =>
    wanted === "" || columns.some((name) => cellText(row[name]).toLowerCase().includes(wanted))
      ? [i]
      : [],
  );
  if (sort === null) return numbers;
  const sign = sort.descending ? -1 : 1;
  const keyOf = (i: number) => rows[i]?.[sort.column] ?? null;
  return numbers.sort((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || a - b;
    return sign * compare(x, y) || a - b;
  });
}

const collator = new Intl.Collator("en", { numeric: true });

function compare(x: JsonValue, y: JsonValue): number {
  if (typeof x === "number" && typeof y === "number") return x - y;
  return collator.compare(cellText(x), cellText(y));
}

/** The widths of the columns in characters, by what stands in the first rows. */
export function widthsOf({ rows, columns }: JsonTable): number[] {
  return columns.map((name) => {
    const longest = rows
      .slice(0, widthSample)
      .reduce((most, row) => Math.max(most, cellText(row[name]).length), name.length + 2);
    return Math.min(widest, Math.max(narrowest, longest + 1));
  });
}

const widthSample = 60;
const narrowest = 5;
const widest = 44;

function joined(above: string, name: string): string {
  return above === "" ? name : `${above}.${name}`;
}
