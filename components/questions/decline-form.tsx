"use client";

import { useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Textarea } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import type { Answering } from "./use-answer.ts";

/** Declines a question, with a reason if there is one. */
export default function DeclineForm({
  answering,
  onBack,
}: {
  answering: Answering;
  onBack: () => void;
}) {
  const [reason, setReason] = useState("");
  const id = useId();
  return (
    <form
      className="flex max-w-2xl flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!answering.isBusy) answering.decline(reason.trim() === "" ? null : reason.trim());
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
        value={reason}
        onChange={(event) => setReason(event.target.value)}
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
