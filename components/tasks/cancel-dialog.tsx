"use client";

import { useMutation } from "@tanstack/react-query";
import { AlertDialog } from "radix-ui";
import { useEffect, useId, useState } from "react";
import type { TaskRecord } from "@/server/core/task.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { buttonClass } from "../ui/button.tsx";
import { Textarea } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import { overlayStyle } from "../ui/overlay-style.ts";

/** Asks for a reason and cancels the task, or ends it by force when a cancel was asked for before. */
export default function CancelDialog({ task, onClose }: { task: TaskRecord; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const id = useId();
  const force = task.cancelRequestedAt !== null;
  const hasEnded = isTerminal(task.status);
  // It ended by itself meanwhile: there is nothing left to confirm.
  useEffect(() => {
    if (hasEnded) onClose();
  }, [hasEnded, onClose]);
  const cancel = useMutation({
    mutationFn: () => {
      const said = reason.trim();
      return api.tasks.cancel.mutate({
        taskId: task.taskId,
        ...(said !== "" && { reason: said }),
        ...(force && { force }),
      });
    },
    onSuccess: onClose,
  });
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayStyle} />
        <AlertDialog.Content className="fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 animate-in flex-col gap-4 overflow-y-auto rounded-lg border bg-surface p-5 shadow-overlay fade-in-0 duration-150">
          <div>
            <AlertDialog.Title className="font-semibold text-lg">
              {force ? "End this task now?" : "Cancel this task?"}
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1 text-ink-2">
              {force
                ? "It was asked to stop and is still cleaning up. Ended now, it does not finish that, and nothing it says after this counts."
                : "It is told to stop, its open questions are closed, and it may clean up before it ends. This cannot be undone."}
            </AlertDialog.Description>
          </div>
          <form
            id={`${id}-form`}
            className="flex flex-col gap-1.5"
            onSubmit={(event) => {
              event.preventDefault();
              if (!cancel.isPending) cancel.mutate();
            }}
          >
            {!force && (
              <>
                <label htmlFor={id} className="font-medium">
                  Reason{" "}
                  <span className="font-normal text-ink-3 text-sm">
                    optional, the agent reads it
                  </span>
                </label>
                <Textarea
                  id={id}
                  maxLength={2000}
                  value={reason}
                  onChange={(event) => setReason(event.target.value)}
                />
              </>
            )}
            {cancel.error && <FieldError>{readApiError(cancel.error).message}</FieldError>}
          </form>
          <div className="flex justify-end gap-2">
            <AlertDialog.Cancel className={buttonClass()}>Keep it running</AlertDialog.Cancel>
            <button
              type="submit"
              form={`${id}-form`}
              disabled={cancel.isPending}
              className={buttonClass({ variant: "danger" })}
            >
              {force ? "End it now" : "Cancel the task"}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
