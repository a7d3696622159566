"use client";

import { useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/notice.tsx";
import { SecretInput } from "../ui/secret-input.tsx";
import type { AnswerFormProps } from "./answer-form.tsx";

/** The answer to a secret question: masked, kept nowhere, and never shown again. */
export default function SecretAnswer({ answering }: AnswerFormProps) {
  const [value, setValue] = useState("");
  const id = useId();
  const error = answering.error?.code === "conflict" ? null : answering.error;
  return (
    <form
      className="flex max-w-md flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!answering.isBusy && value !== "") answering.answer(value);
      }}
    >
      <label htmlFor={id} className="sr-only">
        Your answer, a secret
      </label>
      <SecretInput
        id={id}
        value={value}
        placeholder="Your answer"
        aria-invalid={error !== null}
        aria-describedby={error ? `${id}-error ${id}-hint` : `${id}-hint`}
        onChange={(event) => setValue(event.target.value)}
      />
      <p id={`${id}-hint`} className="text-ink-3 text-sm">
        Only the task gets it. It is stored encrypted and not shown again.
      </p>
      {error && <FieldError id={`${id}-error`}>{error.message}</FieldError>}
      <div>
        <Button type="submit" variant="primary" disabled={answering.isBusy || value === ""}>
          Send answer
        </Button>
      </div>
    </form>
  );
}
