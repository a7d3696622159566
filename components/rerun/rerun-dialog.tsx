"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { type ReactNode, useMemo, useRef, useState } from "react";
import type { JsonObject, JsonValue } from "@/server/core/json.ts";
import { makeKey } from "@/server/core/made-key.ts";
import type { TaskRecord } from "@/server/core/task.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { formDraftOf, hasSecrets } from "../schema/form-draft.ts";
import SchemaForm from "../schema/schema-form.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { ErrorState, FieldError } from "../ui/notice.tsx";
import { overlayStyle } from "../ui/overlay-style.ts";
import { Skeleton } from "../ui/skeleton.tsx";

interface RerunDialogProps {
  task: TaskRecord;
  params: JsonValue;
  onClose: () => void;
}

/** Starts a finished task again, with the same parameters or others. */
export default function RerunDialog({ task, params, onClose }: RerunDialogProps) {
  const query = useQuery(queries.types());
  const type = query.data?.find((each) => each.type === task.type);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayStyle} />
        <Dialog.Content
          // A click beside it must not lose what was typed.
          onInteractOutside={(event) => event.preventDefault()}
          className="fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100vw-2rem)] max-w-2xl -translate-x-1/2 -translate-y-1/2 animate-in flex-col gap-4 overflow-y-auto rounded-lg border bg-surface p-5 shadow-overlay fade-in-0 duration-150"
        >
          <div>
            <Dialog.Title className="font-semibold text-lg">
              Run <bdi>{type?.title ?? task.type}</bdi> again
            </Dialog.Title>
            <Dialog.Description className="mt-1 text-ink-2">
              It becomes a task of its own, linked to this one, with the same labels and priority.
            </Dialog.Description>
          </div>
          {type !== undefined ? (
            <Choices task={task} params={params} schema={type.paramsSchema} onClose={onClose} />
          ) : query.isError ? (
            <ErrorState
              message={readApiError(query.error).message}
              onRetry={() => void query.refetch()}
            />
          ) : query.isPending ? (
            <Skeleton className="h-32" />
          ) : (
            <p className="text-ink-2">
              You may not start tasks of the type <bdi className="font-mono">{task.type}</bdi>, or
              nothing registers it any more.
            </p>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Choices({
  task,
  params,
  schema,
  onClose,
}: RerunDialogProps & { schema: JsonObject | null }) {
  const [isEdited, setEdited] = useState(false);
  const [draft, setDraft] = useState(() => formDraftOf(schema, params));
  const rerun = useRerun(task.taskId, onClose);
  const error = rerun.error ? readApiError(rerun.error) : null;
  const issues = error?.issues ?? [];
  const hasField = isEdited && issues.some(({ path }) => path !== "");
  const isBusy = rerun.isPending || rerun.isSuccess;
  const keepsSecrets = schema !== null && hasSecrets(schema);
  return (
    <>
      <div className="flex w-fit gap-1 rounded-md bg-sunken p-0.5">
        <Choice isChosen={!isEdited} onChoose={() => setEdited(false)}>
          Same parameters
        </Choice>
        <Choice isChosen={isEdited} onChoose={() => setEdited(true)}>
          Other parameters
        </Choice>
      </div>
      {isEdited ? (
        <>
          {keepsSecrets && (
            <p className="text-ink-2">
              Secrets have to be entered again: they are only kept where nothing else is changed.
            </p>
          )}
          <SchemaForm
            schema={schema}
            draft={draft}
            onDraft={setDraft}
            issues={issues}
            onSubmit={(changed) => rerun.mutate({ params: changed })}
            submitLabel={isBusy ? "Starting…" : "Run with these"}
            isBusy={isBusy}
          />
        </>
      ) : (
        <>
          <Params value={params} />
          <Button
            variant="primary"
            className="self-start"
            aria-disabled={isBusy}
            onClick={() => !isBusy && rerun.mutate({})}
          >
            {isBusy ? "Starting…" : "Run again"}
          </Button>
        </>
      )}
      {error && !hasField && <FieldError>{error.message}</FieldError>}
      <Dialog.Close asChild>
        <Button className="absolute top-3 right-3" variant="quiet" size="sm">
          Close
        </Button>
      </Dialog.Close>
    </>
  );
}

function useRerun(taskId: string, onClose: () => void) {
  const router = useRouter();
  // The same key for the same try: pressing again after a lost connection starts nothing twice.
  const tried = useRef<{ request: string; idempotencyKey: string } | null>(null);
  return useMutation({
    mutationFn: (change: { params?: JsonValue }) => {
      const request = JSON.stringify(change);
      if (tried.current?.request !== request) {
        tried.current = { request, idempotencyKey: makeKey() };
      }
      const { idempotencyKey } = tried.current;
      return api.tasks.rerun.mutate({ taskId, ...change, idempotencyKey });
    },
    onSuccess: ({ taskId: started }) => {
      onClose();
      router.push(`/tasks/${started}`);
    },
  });
}

function Choice({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cn(
        "h-7 rounded-sm px-2.5",
        isChosen ? "bg-surface font-medium shadow-xs" : "text-ink-2 hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}

const shownCharacters = 2000;

function Params({ value }: { value: JsonValue }) {
  const text = useMemo(() => JSON.stringify(value ?? {}, null, 2), [value]);
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      dir="ltr"
      className="task-text max-h-60 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-sm"
    >
      {text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text}
    </pre>
  );
}
