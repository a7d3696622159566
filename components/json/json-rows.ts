import type { JsonValue } from "@/server/core/json.ts";
import { entriesOf, isBranch, sizeOf } from "./json-tree.ts";

/** A line of JSON shown as a tree. */
export interface JsonRow {
  /** A JSON pointer (RFC 6901): the same for the same place. */
  path: string;
  /** 0 for the outermost. */
  depth: number;
  /** Null for the outermost. */
  name: string | number | null;
  value: JsonValue;
  /** For lists and objects that have something in them; null for anything else. */
  isOpen: boolean | null;
  /** Its place among its siblings, and how many those are. */
  at: number;
  of: number;
}

/** The lines to show of a value while these lists and objects in it are unfolded. */
export function rowsOf(value: JsonValue, open: ReadonlySet<JsonValue>): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (row: Omit<JsonRow, "isOpen">) => {
    const { path, depth } = row;
    const isOpen = isBranch(row.value) && sizeOf(row.value) > 0 ? open.has(row.value) : null;
    rows.push({ ...row, isOpen });
    if (!isOpen) return;
    const entries = entriesOf(row.value);
    for (const [at, [name, member]] of entries.entries()) {
      add({
        path: `${path}/${tokenOf(name)}`,
        depth: depth + 1,
        name,
        value: member,
        at,
        of: entries.length,
      });
    }
  };
  add({ path: "", depth: 0, name: null, value, at: 0, of: 1 });
  return rows;
}

/** A place where something was found. */
export interface JsonMatch {
  path: string;
  /** What has to be unfolded for it to be seen. */
  within: JsonValue[];
}

/** Where a text stands in names and values, upper or lower case; at most `limit` of them. */
export function findInJson(value: JsonValue, text: string, limit: number): JsonMatch[] {
  const wanted = text.toLowerCase();
  const found: JsonMatch[] = [];
  const within: JsonValue[] = [];
  const look = (path: string, name: string | number | null, each: JsonValue) => {
    if (found.length >= limit) return;
    const isNamed = typeof name === "string" && name.toLowerCase().includes(wanted);
    const isHere = isNamed || (!isBranch(each) && String(each).toLowerCase().includes(wanted));
    if (isHere) found.push({ path, within: [...within] });
    if (!isBranch(each)) return;
    within.push(each);
    for (const [key, member] of entriesOf(each)) look(`${path}/${tokenOf(key)}`, key, member);
    within.pop();
  };
  if (wanted !== "") look("", null, value);
  return found;
}

/** The text of a folded list or object in a line: how large it is, and how it begins. */
export function previewOf(value: JsonValue): string {
  if (!isBranch(value)) return "";
  const size = sizeOf(value);
  if (Array.isArray(value))
    return size === 1 ? "[1 item]" : `[${size.toLocaleString("en-GB")} items]`;
  const beginning = entriesOf(value, previewed)
    .filter(([, member]) => !isBranch(member))
    .map(([name, member]) => `${name}: ${shortText(member)}`);
  return beginning.length === 0
    ? membersText(size)
    : `{ ${beginning.join(", ")}${size > beginning.length ? ", …" : ""} }`;
}

/** How large an unfolded list or object is. */
export function sizeText(value: JsonValue): string {
  const size = sizeOf(value);
  if (Array.isArray(value)) return size === 1 ? "1 item" : `${size.toLocaleString("en-GB")} items`;
  return size === 1 ? "1 member" : `${size.toLocaleString("en-GB")} members`;
}

const previewed = 4;
const shortLength = 40;

function membersText(size: number): string {
  return size === 1 ? "{1 member}" : `{${size.toLocaleString("en-GB")} members}`;
}

function shortText(value: JsonValue): string {
  const text = typeof value === "string" ? value.slice(0, shortLength + 1) : String(value);
  const line = text.replace(/\s+/g, " ");
  return line.length > shortLength ? `${line.slice(0, shortLength)}…` : line;
}

function tokenOf(name: string | number): string {
  return typeof name === "number" ? String(name) : name.replaceAll("~", "~0").replaceAll("/", "~1");
}
