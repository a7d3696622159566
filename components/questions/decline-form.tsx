"use client";

import { useId } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import { Button } from "../ui/button.tsx";
import { Textarea } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import type { Answering } from "./use-answer.ts";
import { useDraft } from "./use-draft.ts";

const isText = (draft: JsonValue): draft is string => typeof draft === "string";

/** Declines a question, with a reason if there is one. */
export default function DeclineForm({
  questionId,
  answering,
  onBack,
}: {
  questionId: string;
  answering: Answering;
  onBack: () => void;
}) {
  const draft = useDraft<string>(`decline.${questionId}`, () => "", isText);
  const reason = draft.value.trim();
  const id = useId();
  return (
    <form
      className="flex max-w-2xl flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!answering.isBusy) answering.decline(reason === "" ? null : reason);
      }}
    >
      <label htmlFor={id} className="font-medium">
        Why do you decline?{" "}
        <span className="font-normal text-ink-3 text-sm">optional, the agent reads it</span>
      </label>
      <Textarea
        id={id}
        autoFocus
        maxLength={2000}
        value={draft.value}
        onChange={(event) => draft.set(event.target.value)}
      />
      {answering.error && answering.error.code !== "conflict" && (
        <FieldError>{answering.error.message}</FieldError>
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={answering.isBusy}>
          Decline to answer
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}
