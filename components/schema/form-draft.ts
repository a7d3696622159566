import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from "@/server/core/json.ts";
import { draftOf, type FieldDraft, parseDraft } from "./schema-draft.ts";
import { type SchemaField, schemaField } from "./schema-field.ts";

/** A form's state: the fields, or JSON text in their place. It is JSON, so that it can be stored. */
export type FormDraft = { as: "fields"; draft: FieldDraft } | { as: "json"; text: string };

export function newFormDraft(schema: JsonObject | null): FormDraft {
  if (schema === null) return { as: "json", text: "{}" };
  return { as: "fields", draft: draftOf(schemaField(schema)) };
}

export function isFormDraft(draft: JsonValue): draft is FormDraft {
  if (typeof draft !== "object" || draft === null || Array.isArray(draft)) return false;
  return draft.as === "fields"
    ? "draft" in draft
    : draft.as === "json" && typeof draft.text === "string";
}

/**
 * A form filled with a value whose secrets are masked: they have to be entered anew. As JSON where
 * the form would not give back all of the value.
 */
export function formDraftOf(schema: JsonObject | null, value: JsonValue): FormDraft {
  const asJson: FormDraft = { as: "json", text: JSON.stringify(value ?? {}, null, 2) };
  if (schema === null) return asJson;
  const field = schemaField(schema);
  const draft = draftOf(field, value);
  const parsed = parseDraft(field, draft);
  const keepsAll = parsed.value !== undefined && jsonEquals(parsed.value, value);
  if (!keepsAll && !hasSecrets(schema)) return asJson;
  return { as: "fields", draft: withoutSecrets(field, draft, (each) => each.secret) };
}

/** What of a draft may be stored: not what was typed into secret fields, nor JSON that may have it. */
export function draftWithoutSecrets(schema: JsonObject | null, draft: FormDraft): FormDraft | null {
  if (schema === null || !hasSecrets(schema)) return draft;
  if (draft.as === "json") return null;
  // A part edited as JSON may have secrets in it that its field does not tell of.
  const mayBeSecret = (field: SchemaField) => field.secret || field.kind === "json";
  return { as: "fields", draft: withoutSecrets(schemaField(schema), draft.draft, mayBeSecret) };
}

/** Whether values of the schema have parts that are never shown. */
export function hasSecrets(schema: JsonObject): boolean {
  return /"(secret|writeOnly)":true/.test(JSON.stringify(schema));
}

function withoutSecrets(
  field: SchemaField,
  draft: FieldDraft,
  isSecret: (field: SchemaField) => boolean,
): FieldDraft {
  if (isSecret(field)) return draftOf(field);
  if (field.kind === "list" && Array.isArray(draft)) {
    return draft.map((item) => withoutSecrets(field.item, item, isSecret));
  }
  if (field.kind === "group" && isJsonObject(draft)) {
    const members = field.members.map(({ name, field: member }) => [
      name,
      withoutSecrets(member, draft[name] ?? null, isSecret),
    ]);
    return Object.fromEntries(members);
  }
  return draft;
}
