import { isJsonObject, type JsonObject, type JsonValue } from "@/server/core/json.ts";
import { draftOf, type FieldDraft } from "./schema-draft.ts";
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

/** What of a draft may be stored: not what was typed into secret fields, nor JSON that may have it. */
export function draftWithoutSecrets(schema: JsonObject | null, draft: FormDraft): FormDraft | null {
  if (schema === null || !/"(secret|writeOnly)":true/.test(JSON.stringify(schema))) return draft;
  if (draft.as === "json") return null;
  return { as: "fields", draft: withoutSecrets(schemaField(schema), draft.draft) };
}

function withoutSecrets(field: SchemaField, draft: FieldDraft): FieldDraft {
  // A part edited as JSON may have secrets in it that its field does not tell of.
  if (field.secret || field.kind === "json") return draftOf(field);
  if (field.kind === "list" && Array.isArray(draft)) {
    return draft.map((item) => withoutSecrets(field.item, item));
  }
  if (field.kind === "group" && isJsonObject(draft)) {
    const members = field.members.map(({ name, field: member }) => [
      name,
      withoutSecrets(member, draft[name] ?? null),
    ]);
    return Object.fromEntries(members);
  }
  return draft;
}
