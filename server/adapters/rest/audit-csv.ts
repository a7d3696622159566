import type { AuditEntry } from "../../core/audit.ts";

const columns: readonly [name: string, read: (entry: AuditEntry) => string | number | null][] = [
  ["auditId", ({ auditId }) => auditId],
  ["at", ({ at }) => at],
  ["action", ({ action }) => action],
  ["actorKind", ({ actor }) => actor?.kind ?? null],
  ["actorId", ({ actor }) => actor?.id ?? null],
  ["actorName", ({ actor }) => actor?.name ?? null],
  ["keyOwnerId", ({ keyOwnerId }) => keyOwnerId],
  ["surface", ({ surface }) => surface],
  ["address", ({ address }) => address],
  ["taskId", ({ taskId }) => taskId],
  ["taskType", ({ taskType }) => taskType],
  ["questionId", ({ questionId }) => questionId],
  ["details", ({ details }) => JSON.stringify(details)],
];

const newLine = "\r\n";

export const auditCsvHead = `${columns.map(([name]) => name).join(",")}${newLine}`;

/** An entry as a line of CSV (RFC 4180). */
export function auditCsvLine(entry: AuditEntry): string {
  return `${columns.map(([, read]) => cell(read(entry))).join(",")}${newLine}`;
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // Spreadsheets run a cell that begins so as a formula, also after white space; an apostrophe in
  // front makes it a text.
  const text = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
