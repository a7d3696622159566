"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import { makeKey } from "@/server/core/made-key.ts";
import type { TaskTypeInfo } from "@/server/core/task-type.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { useDraft } from "../questions/use-draft.ts";
import {
  draftWithoutSecrets,
  type FormDraft,
  isFormDraft,
  newFormDraft,
} from "../schema/form-draft.ts";
import SchemaForm from "../schema/schema-form.tsx";
import { FieldError } from "../ui/notice.tsx";

/** The parameters of a new task, and the button that starts it. */
export default function StartForm({ type }: { type: TaskTypeInfo }) {
  const router = useRouter();
  const schema = type.paramsSchema;
  const draft = useDraft<FormDraft>(
    `start.${type.type}`,
    () => newFormDraft(schema),
    isFormDraft,
    (typed) => draftWithoutSecrets(schema, typed),
  );
  // The same key for the same try: pressing again after a lost connection starts nothing twice.
  const tried = useRef<{ params: string; idempotencyKey: string } | null>(null);
  const start = useMutation({
    mutationFn: (params: JsonValue) => {
      const text = JSON.stringify(params);
      if (tried.current?.params !== text) {
        tried.current = { params: text, idempotencyKey: makeKey() };
      }
      const { idempotencyKey } = tried.current;
      return api.tasks.start.mutate({ type: type.type, params, idempotencyKey });
    },
    onSuccess: ({ taskId }) => {
      draft.clear();
      router.push(`/tasks/${taskId}`);
    },
  });
  const error = start.error ? readApiError(start.error) : null;
  const issues = error?.issues ?? [];
  return (
    <div className="flex flex-col gap-4">
      <SchemaForm
        schema={schema}
        draft={draft.value}
        onDraft={draft.set}
        issues={issues}
        onSubmit={(params) => start.mutate(params)}
        submitLabel={start.isPending || start.isSuccess ? "Starting…" : "Start the task"}
        isBusy={start.isPending || start.isSuccess}
      />
      {error && issues.length === 0 && <FieldError>{error.message}</FieldError>}
    </div>
  );
}
