"use client";

import { AlertDialog } from "radix-ui";
import { useId, useMemo, useState } from "react";
import { Button, buttonClass } from "../ui/button.tsx";
import { Textarea } from "../ui/input.tsx";
import { IntentLink } from "../ui/intent-link.tsx";
import { overlayStyle } from "../ui/overlay-style.ts";
import { type BulkAction, type BulkOutcome, runBulk } from "./run-bulk.ts";
import { shortId } from "./short-id.ts";

interface BulkDialogProps {
  action: BulkAction;
  taskIds: string[];
  /** @param isDone whether anything was done. */
  onClose: (isDone: boolean) => void;
}

const texts = {
  cancel: {
    title: (count: string) => `Cancel ${count}?`,
    what: "They are told to stop, their open questions are closed, and they may clean up before they end. This cannot be undone. Those that have ended stay as they are.",
    action: (count: string) => `Cancel ${count}`,
    keep: "Keep them running",
    done: (count: string) => `${count} told to stop`,
  },
  rerun: {
    title: (count: string) => `Run ${count} again?`,
    what: "Each that has ended is started anew with the parameters it had. Those still under way are left alone.",
    action: (count: string) => `Start ${count}`,
    keep: "Leave them",
    done: (count: string) => `${count} started again`,
  },
};

const shownFailures = 50;

/** Asks before something is done to many tasks, does it, and says what became of each. */
export default function BulkDialog({ action, taskIds, onClose }: BulkDialogProps) {
  // Those it was opened for: the selection may change meanwhile.
  const [ids] = useState(taskIds);
  const [reason, setReason] = useState("");
  const [state, setState] = useState<"asks" | "runs" | "done">("asks");
  const [outcome, setOutcome] = useState<BulkOutcome>({ done: 0, hadEnded: 0, failed: [] });
  const id = useId();
  const text = texts[action];
  const count = tasks(ids.length);
  const through = outcome.done + outcome.hadEnded + outcome.failed.length;
  const run = async () => {
    setState("runs");
    setOutcome(await runBulk(action, ids, { reason, onProgress: setOutcome }));
    setState("done");
  };
  const close = () => state !== "runs" && onClose(state === "done");
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayStyle} />
        <AlertDialog.Content className="fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 animate-in flex-col gap-4 overflow-y-auto rounded-lg border bg-surface p-5 shadow-overlay fade-in-0 duration-150">
          <div>
            <AlertDialog.Title className="font-semibold text-lg">
              {state === "asks"
                ? text.title(count)
                : state === "runs"
                  ? `${through.toLocaleString("en")} of ${count}…`
                  : text.done(tasks(outcome.done))}
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1 text-ink-2">
              {state === "asks" ? text.what : summary(outcome, state === "done")}
            </AlertDialog.Description>
          </div>
          {state === "asks" && action === "cancel" && (
            <div className="flex flex-col gap-1.5">
              <label htmlFor={id} className="font-medium">
                Reason{" "}
                <span className="font-normal text-ink-3 text-sm">optional, the agents read it</span>
              </label>
              <Textarea
                id={id}
                maxLength={2000}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            </div>
          )}
          {state === "runs" && (
            <progress
              aria-label="How far it is"
              className="h-1 w-full accent-ink"
              max={ids.length}
              value={through}
            />
          )}
          {state === "done" && <Failures failed={outcome.failed} />}
          <div className="flex justify-end gap-2">
            {state === "done" ? (
              <Button variant="primary" onClick={() => onClose(true)}>
                Done
              </Button>
            ) : (
              <>
                <AlertDialog.Cancel className={buttonClass()} disabled={state === "runs"}>
                  {text.keep}
                </AlertDialog.Cancel>
                <Button
                  variant={action === "cancel" ? "danger" : "primary"}
                  disabled={state === "runs"}
                  onClick={() => void run()}
                >
                  {text.action(count)}
                </Button>
              </>
            )}
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** The tasks that refused, by what they said. */
function Failures({ failed }: Pick<BulkOutcome, "failed">) {
  const shown = useMemo(() => failed.slice(0, shownFailures), [failed]);
  if (failed.length === 0) return null;
  return (
    <ul aria-label="Not done" className="flex flex-col gap-1.5 rounded-md bg-sunken p-3">
      {shown.map(({ taskId, message }) => (
        <li key={taskId} className="task-text text-sm">
          <IntentLink href={`/tasks/${taskId}`} className="font-mono text-link">
            {shortId(taskId)}
          </IntentLink>{" "}
          {message}
        </li>
      ))}
      {failed.length > shown.length && (
        <li className="text-ink-2 text-sm">and {failed.length - shown.length} more</li>
      )}
    </ul>
  );
}

function summary({ hadEnded, failed }: BulkOutcome, isDone: boolean): string {
  const parts = [
    hadEnded > 0 && `${tasks(hadEnded)} had ended before.`,
    failed.length > 0 && `${tasks(failed.length)} refused.`,
  ].filter(Boolean);
  if (parts.length > 0) return parts.join(" ");
  return isDone ? "All of them." : "Some at a time. This can be seen in the list as it goes.";
}

function tasks(count: number): string {
  return count === 1 ? "1 task" : `${count.toLocaleString("en")} tasks`;
}
