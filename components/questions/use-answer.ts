"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { JsonValue } from "@/server/core/json.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { api } from "../api/api-client.ts";
import { type ApiError, readApiError } from "../api/api-error.ts";
import { showQuestion } from "../live/show-question.ts";

export interface Answering {
  answer(answer: JsonValue): void;
  decline(reason: string | null): void;
  isBusy: boolean;
  /** Why the last try was refused, with the question still open. */
  error: ApiError | null;
}

/**
 * Sends an answer or a decline. The question is shown as resolved only when the server has said
 * how; when somebody else was first, it is shown with their outcome.
 */
export function useAnswer(question: QuestionData, onDone: () => void): Answering {
  const client = useQueryClient();
  const { questionId } = question;
  const mutation = useMutation({
    mutationFn: (said: { answer: JsonValue } | { reason: string | null }) =>
      "answer" in said
        ? api.questions.answer.mutate({ questionId, answer: said.answer })
        : api.questions.decline.mutate({ questionId, reason: said.reason }),
    onSuccess: (result) => {
      const told = { ...question, ...(result.question as QuestionData) };
      // An approval may need more people: then it stays open.
      if (told.outcome !== null) onDone();
      showQuestion(client, told);
    },
    onError: (error) => {
      const { code, details } = readApiError(error);
      if (code === "conflict" && "outcome" in details) {
        showQuestion(client, { ...question, ...(details as Partial<QuestionData>) });
      }
    },
  });
  return {
    answer: (answer) => mutation.mutate({ answer }),
    decline: (reason) => mutation.mutate({ reason }),
    isBusy: mutation.isPending,
    error: mutation.error ? readApiError(mutation.error) : null,
  };
}
