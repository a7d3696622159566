"use client";

import type { JsonObject } from "@/server/core/json.ts";
import { type FormDraft, isFormDraft, newFormDraft } from "../schema/form-draft.ts";
import SchemaForm from "../schema/schema-form.tsx";
import { FieldError } from "../ui/notice.tsx";
import type { AnswerFormProps } from "./answer-form.tsx";
import { useDraft } from "./use-draft.ts";

/** An answer that has a schema: a form made from it. */
export default function SchemaAnswer({
  question,
  answering,
  schema,
}: AnswerFormProps & { schema: JsonObject }) {
  const draft = useDraft<FormDraft>(
    question.questionId,
    () => newFormDraft(schema),
    isFormDraft,
    (typed) => (question.secret ? null : typed),
  );
  const { error } = answering;
  const issues = error?.issues ?? [];
  return (
    <>
      <SchemaForm
        schema={schema}
        draft={draft.value}
        onDraft={draft.set}
        issues={issues}
        onSubmit={answering.answer}
        submitLabel="Send answer"
        isBusy={answering.isBusy}
      />
      {error && error.code !== "conflict" && issues.length === 0 && (
        <FieldError>{error.message}</FieldError>
      )}
    </>
  );
}
