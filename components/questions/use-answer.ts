"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { api } from "../api/api-client.ts";
import { type ApiError, readApiError } from "../api/api-error.ts";
import { outbox } from "./outbox.ts";
import { pendingSwitch } from "./pending-switch.ts";
import { holdFor, say } from "./send-answer.ts";
import { usePendingFor } from "./use-pending.ts";

export interface Answering {
  answer(answer: JsonValue): void;
  decline(reason: string | null): void;
  isBusy: boolean;
  /** Why the last try was refused, with the question still open. */
  error: ApiError | null;
}

const noRefusals: ReadonlyMap<string, ApiError> = new Map();

/**
 * Sends an answer or a decline, after the moment in which it can be taken back. The question is shown
 * as resolved only when the server has said how; when somebody else was first, it is shown with their
 * outcome. What a schema asks for is checked by the server before it is held back, so that what is
 * wrong stands at its field at once.
 */
export function useAnswer(question: QuestionData, onDone: () => void): Answering {
  const client = useQueryClient();
  // What keeps answers until they are sent is there before the first one is given.
  useEffect(pendingSwitch.turnOn, []);
  const { questionId } = question;
  const pending = usePendingFor(questionId);
  const refusals = useSyncExternalStore(outbox.subscribe, outbox.refusals, () => noRefusals);
  const check = useMutation({
    mutationFn: (answer: JsonValue) => api.questions.check.mutate({ questionId, answer }),
    onSuccess: (_, answer) => say(client, [question], { kind: "answer", answer }, onDone),
  });
  const refusal = check.error ? readApiError(check.error) : refusals.get(questionId);
  return {
    answer(answer) {
      const isChecked = question.schema !== null || question.approval !== null;
      if (isChecked && holdFor([question]) > 0) check.mutate(answer);
      else say(client, [question], { kind: "answer", answer }, onDone);
    },
    decline(reason) {
      check.reset();
      say(client, [question], { kind: "decline", reason }, onDone);
    },
    isBusy: check.isPending || pending !== null,
    error: pending ? null : (refusal ?? null),
  };
}
