"use client";

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Approval } from "@/server/core/approval.ts";
import { isJsonObject, type JsonValue } from "@/server/core/json.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { queries } from "../api/queries.ts";
import { Button } from "../ui/button.tsx";
import { Textarea } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import { ApprovalSubject } from "./approval-subject.tsx";
import { deadlineConsequence } from "./countdown-text.ts";
import { clearDraft } from "./drafts.ts";
import type { Answering } from "./use-answer.ts";
import { useDraft } from "./use-draft.ts";
import { visibleJson } from "./visible-json.ts";

interface ApprovalFormProps {
  question: QuestionData;
  approval: Approval;
  answering: Answering;
  onDecline: () => void;
}

/** An approval: what exactly is to be done, and the buttons that allow it. */
export default function ApprovalForm(props: ApprovalFormProps) {
  const { question, approval, answering, onDecline } = props;
  const [isEditing, setEditing] = useState(false);
  const { data: caller } = useQuery(queries.caller());
  const hasApproved = approval.given.some(
    ({ by }) => by.kind === caller?.actor.kind && by.id === caller.actor.id,
  );
  const left = approval.needed - approval.given.length;
  return (
    <>
      <ApprovalSubject question={question} approval={approval} />
      {isEditing ? (
        // Somebody else's edit begins another one: what was typed was about other arguments.
        <EditForm key={approval.argsDigest} {...props} onBack={() => setEditing(false)} />
      ) : (
        <>
          {answering.error && !("outcome" in answering.error.details) && (
            <FieldError>{answering.error.message}</FieldError>
          )}
          <div className="flex flex-wrap items-center gap-2">
            {hasApproved ? (
              <p className="mr-1 text-ink-2" role="status">
                You have approved. {left} more {left === 1 ? "person has" : "people have"} to.
              </p>
            ) : (
              <Button
                variant="primary"
                disabled={answering.isBusy}
                onClick={() => answering.answer({ approve: true, argsDigest: approval.argsDigest })}
              >
                Approve
              </Button>
            )}
            {approval.allowEdit && (
              <Button disabled={answering.isBusy} onClick={() => setEditing(true)}>
                Edit arguments…
              </Button>
            )}
            <Button disabled={answering.isBusy} onClick={onDecline}>
              Decline…
            </Button>
          </div>
        </>
      )}
      <p className="text-ink-3 text-sm">At the deadline, {deadlineConsequence(question)}.</p>
    </>
  );
}

/** An edit begun, and the arguments it began from. */
interface EditDraft {
  digest: string;
  text: string;
  [key: string]: JsonValue;
}

function EditForm({
  question,
  approval,
  answering,
  onBack,
}: ApprovalFormProps & { onBack: () => void }) {
  const { argsDigest } = approval;
  const id = useId();
  const draft = useDraft<EditDraft>(
    question.questionId,
    () => ({ digest: argsDigest, text: visibleJson(approval.args) }),
    (stored): stored is EditDraft => isJsonObject(stored) && stored.digest === argsDigest,
  );
  const [syntaxError, setSyntaxError] = useState<string | null>(null);
  const refusal =
    answering.error && !("outcome" in answering.error.details) ? answering.error.message : null;
  const error = syntaxError ?? refusal;
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (answering.isBusy) return;
        const args = readJson(draft.value.text);
        if ("error" in args) return setSyntaxError(args.error);
        setSyntaxError(null);
        answering.answer({ approve: true, argsDigest, args: args.value });
      }}
    >
      <label htmlFor={id} className="font-medium">
        Arguments to approve instead{" "}
        <span className="font-normal text-ink-3 text-sm">
          JSON{approval.given.length > 0 && "; approvals given so far will no longer count"}
        </span>
      </label>
      <Textarea
        id={id}
        isCode
        autoFocus
        value={draft.value.text}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        onChange={(event) => {
          draft.set({ digest: argsDigest, text: event.target.value });
          setSyntaxError(null);
        }}
      />
      {error !== null && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={answering.isBusy}>
          Approve these arguments
        </Button>
        <Button
          variant="quiet"
          onClick={() => {
            clearDraft(question.questionId);
            onBack();
          }}
        >
          Back
        </Button>
      </div>
    </form>
  );
}

function readJson(text: string): { value: JsonValue } | { error: string } {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    return { error: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
