"use client";

import { useId, useMemo, useState } from "react";
import type { JsonObject, JsonValue } from "@/server/core/json.ts";
import type { FieldIssue } from "../api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { Textarea } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import { FieldView } from "./field-view.tsx";
import type { FormDraft } from "./form-draft.ts";
import { draftOf, parseDraft, parseJsonText } from "./schema-draft.ts";
import { schemaField } from "./schema-field.ts";

interface SchemaFormProps {
  /** null when nothing is known of the value: it is then edited as JSON. */
  schema: JsonObject | null;
  draft: FormDraft;
  onDraft: (draft: FormDraft) => void;
  /** What the server found wrong. */
  issues: readonly FieldIssue[];
  /** Called with a value that could be made; whether it fits, the server says. */
  onSubmit: (value: JsonValue) => void;
  submitLabel: string;
  isBusy: boolean;
}

/**
 * A form made from a JSON Schema, which can at any time be edited as JSON instead. Its own, because
 * schemas come from strangers: form libraries address fields by dotted paths, which a property
 * named `a.b` breaks, and JSON Schema form libraries weigh more than the whole page.
 */
export default function SchemaForm(props: SchemaFormProps) {
  const { schema, draft, onDraft, onSubmit, submitLabel, isBusy } = props;
  const field = useMemo(() => (schema === null ? null : schemaField(schema)), [schema]);
  const [ownIssues, setOwnIssues] = useState<FieldIssue[]>([]);
  const issues = ownIssues.length > 0 ? ownIssues : props.issues;
  const asJson = draft.as === "json" || field === null;

  const parsed = () => {
    if (draft.as === "json" || field === null)
      return parseJsonText(draft.as === "json" ? draft.text : "");
    return parseDraft(field, draft.draft);
  };

  const switchEditor = () => {
    setOwnIssues([]);
    if (draft.as === "fields") {
      const { value } = parsed();
      onDraft({ as: "json", text: JSON.stringify(value ?? {}, null, 2) });
      return;
    }
    const { value, issues: wrong } = parseJsonText(draft.text);
    if (wrong) setOwnIssues(wrong);
    else if (field) onDraft({ as: "fields", draft: draftOf(field, value) });
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy) return;
        const { value, issues: wrong } = parsed();
        setOwnIssues(wrong ?? []);
        if (wrong === undefined) onSubmit(value ?? null);
        else focusFirstInvalid(event.currentTarget);
      }}
    >
      {asJson ? (
        <JsonEditor
          text={draft.as === "json" ? draft.text : ""}
          onText={(text) => onDraft({ as: "json", text })}
          issues={issues}
        />
      ) : (
        <FieldView
          field={field}
          draft={draft.draft}
          onDraft={(next) => onDraft({ as: "fields", draft: next })}
          issues={issues}
          path={[]}
          required
          label={null}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" aria-disabled={isBusy}>
          {submitLabel}
        </Button>
        {field !== null && (
          <Button variant="quiet" className="ml-auto" onClick={switchEditor}>
            {asJson ? "Back to the form" : "Edit as JSON"}
          </Button>
        )}
      </div>
    </form>
  );
}

// After React has marked the fields.
function focusFirstInvalid(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

function JsonEditor({
  text,
  onText,
  issues,
}: {
  text: string;
  onText: (text: string) => void;
  issues: readonly FieldIssue[];
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        JSON
      </label>
      <Textarea
        id={id}
        isCode
        value={text}
        onChange={(event) => onText(event.target.value)}
        aria-invalid={issues.length > 0}
        aria-describedby={issues.length > 0 ? `${id}-error` : undefined}
      />
      {issues.length > 0 && (
        <FieldError id={`${id}-error`}>
          {issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("\n")}
        </FieldError>
      )}
    </div>
  );
}
