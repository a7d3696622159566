import type { JsonObject, JsonValue } from "@/server/core/json.ts";
import { draftOf, type FieldDraft } from "./schema-draft.ts";
import { schemaField } from "./schema-field.ts";

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
