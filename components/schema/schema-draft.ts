import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from "@/server/core/json.ts";
import type { FieldIssue } from "../api/api-error.ts";
import { fromLocalMoment, toLocalMoment } from "./local-moment.ts";
import type { SchemaField } from "./schema-field.ts";

/**
 * What has been typed into a field so far: text for text, numbers and JSON (so that a half-typed
 * `1.` or `{"a"` stays as it is), a list for lists and sets, an object for groups, and null for a
 * choice not yet made. It is itself JSON, so that it can be stored.
 */
export type FieldDraft = JsonValue;

/** A field's path so far: names and list positions. */
export type FieldPath = readonly (string | number)[];

/** The path as the server writes it in its issues: `groups[0].name`. */
export function pathText(path: FieldPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(part)) text += text === "" ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}

/** The draft of a value, or of the schema's default, or of nothing. */
export function draftOf(
  field: SchemaField,
  value: JsonValue | undefined = field.initial,
): FieldDraft {
  switch (field.kind) {
    case "text":
      if (typeof value !== "string") return "";
      return field.input === "datetime-local" ? toLocalMoment(value) : value;
    case "number":
      return typeof value === "number" ? String(value) : "";
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "enum": {
      const at = field.values.findIndex((each) => value !== undefined && jsonEquals(each, value));
      return at < 0 ? null : at;
    }
    case "set":
      return Array.isArray(value)
        ? field.values.flatMap((each, at) => (value.some((v) => jsonEquals(v, each)) ? [at] : []))
        : [];
    case "list":
      return Array.isArray(value)
        ? value.map((item) => draftOf(field.item, item))
        : Array.from({ length: field.atLeast }, () => draftOf(field.item));
    case "group": {
      const members = isJsonObject(value) ? value : {};
      return Object.fromEntries(
        field.members.map(({ name, field: member }) => [
          name,
          name in members ? draftOf(member, members[name]) : draftOf(member),
        ]),
      );
    }
    case "json":
      return value === undefined || value === null ? "" : JSON.stringify(value, null, 2);
  }
}

/** What a draft comes to: a value, nothing at all, or what is wrong with it. */
export type ParsedDraft =
  | { value: JsonValue | undefined; issues?: undefined }
  | { value?: undefined; issues: FieldIssue[] };

/**
 * The value a draft stands for; `undefined` for an optional field left empty. Only what keeps a
 * value from being made is an issue here: whether it fits the schema is the server's to say.
 */
export function parseDraft(
  field: SchemaField,
  draft: FieldDraft,
  required = true,
  path: FieldPath = [],
): ParsedDraft {
  const wrong = (message: string): ParsedDraft => ({ issues: [{ path: pathText(path), message }] });
  const nothing = (): ParsedDraft => {
    if (field.nullable) return { value: null };
    return required ? wrong("This is required.") : { value: undefined };
  };
  switch (field.kind) {
    case "text":
      if (typeof draft !== "string" || draft === "") return nothing();
      if (field.input !== "datetime-local") return { value: draft };
      return { value: fromLocalMoment(draft) ?? draft };
    case "number": {
      const text = typeof draft === "string" ? draft.trim().replace(",", ".") : "";
      if (text === "") return nothing();
      const value = Number(text);
      if (!Number.isFinite(value)) return wrong(`“${text}” is not a number.`);
      if (field.integer && !Number.isInteger(value)) return wrong("This must be a whole number.");
      return { value };
    }
    case "boolean":
      return typeof draft === "boolean" ? { value: draft } : nothing();
    case "enum":
      return typeof draft === "number" && draft in field.values
        ? { value: field.values[draft] }
        : nothing();
    case "set": {
      const chosen = Array.isArray(draft) ? draft : [];
      if (chosen.length === 0 && !required) return { value: undefined };
      return { value: field.values.filter((_, at) => chosen.includes(at)) };
    }
    case "list":
      return parseList(field.item, draft, required, path);
    case "group":
      return parseGroup(field, draft, required, path);
    case "json": {
      const text = typeof draft === "string" ? draft.trim() : "";
      return text === "" ? nothing() : parseJsonText(text, pathText(path));
    }
  }
}

/** Reads JSON text; where it goes wrong is in the issue. */
export function parseJsonText(text: string, path = ""): ParsedDraft {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    return { issues: [{ path, message: `This is not JSON: ${(error as Error).message}` }] };
  }
}

function parseList(
  item: SchemaField,
  draft: FieldDraft,
  required: boolean,
  path: FieldPath,
): ParsedDraft {
  const drafts = Array.isArray(draft) ? draft : [];
  if (drafts.length === 0 && !required) return { value: undefined };
  const parsed = drafts.map((each, at) => parseDraft(item, each, true, [...path, at]));
  const issues = parsed.flatMap((each) => each.issues ?? []);
  if (issues.length > 0) return { issues };
  return { value: parsed.map((each) => each.value as JsonValue) };
}

function parseGroup(
  field: SchemaField & { kind: "group" },
  draft: FieldDraft,
  required: boolean,
  path: FieldPath,
): ParsedDraft {
  const drafts = isJsonObject(draft) ? draft : {};
  // An optional group in which nothing was filled in is left out, not sent half empty.
  if (!required && isEmpty(field, drafts)) return { value: field.nullable ? null : undefined };
  const issues: FieldIssue[] = [];
  const value: JsonObject = {};
  for (const { name, required: isNeeded, field: member } of field.members) {
    const parsed = parseDraft(member, drafts[name] ?? null, isNeeded, [...path, name]);
    if (parsed.issues) issues.push(...parsed.issues);
    else if (parsed.value !== undefined) {
      Object.defineProperty(value, name, {
        value: parsed.value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return issues.length > 0 ? { issues } : { value };
}

function isEmpty(field: SchemaField & { kind: "group" }, drafts: JsonObject): boolean {
  return field.members.every(({ name, field: member }) => {
    const draft = drafts[name] ?? null;
    return jsonEquals(draft, draftOf(member)) || draft === "" || draft === null;
  });
}
