"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Hand } from "lucide-react";
import { claimHolder } from "@/server/core/claim.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { queries, useMay } from "../api/queries.ts";
import { Kbd } from "../keyboard/kbd.tsx";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { showQuestion } from "../live/show-question.ts";
import { timestampOf } from "../time/server-clock.ts";
import { useTicking } from "../time/use-ticking.ts";
import { notify } from "../toasts/notify.ts";
import { Button } from "../ui/button.tsx";

/** Who is seeing to the question, and the button that says “I am on it”. It holds nobody off. */
export function ClaimControl({ question, hasKeys }: { question: QuestionData; hasKeys: boolean }) {
  const client = useQueryClient();
  const { data: caller } = useQuery(queries.caller());
  const mayClaim = useMay("questions:claim");
  const { questionId } = question;
  const isClaimed = useTicking((now) => claimHolder(question, timestampOf(now)) !== null) ?? false;
  const holder = isClaimed ? question.claimedBy : null;
  const isMine = holder !== null && holder.kind === "operator" && holder.id === caller?.actor.id;
  const change = useMutation({
    mutationFn: () =>
      isMine
        ? api.questions.release.mutate({ questionId })
        : api.questions.claim.mutate({ questionId, takeOver: holder !== null }),
    onSuccess: ({ question: told }) =>
      showQuestion(client, { ...question, ...(told as QuestionData) }),
    onError: (error) => {
      const { message, details } = readApiError(error);
      if (typeof details.outcome === "string") {
        showQuestion(client, { ...question, ...(details as Partial<QuestionData>) });
      } else notify({ title: "It could not be taken on", detail: message, tone: "bad" });
    },
  });
  const says = isMine ? "Let go" : holder === null ? "I’m on it" : "Take over";
  const run = () => {
    if (!change.isPending) change.mutate();
  };
  useShortcuts([{ keys: "c", label: says, section: "Questions", when: hasKeys && mayClaim, run }]);
  return (
    <span className="flex items-center gap-2">
      {holder !== null && (
        <span role="status" className="flex min-w-0 items-center gap-1.5 font-medium text-ink">
          <Hand className="size-3.5 shrink-0 text-ink-2" aria-hidden="true" />
          <span className="truncate">
            {isMine ? "You are on it" : <bdi>{holder.name} is on it</bdi>}
          </span>
        </span>
      )}
      {mayClaim && (
        <Button size="sm" variant="quiet" disabled={change.isPending} onClick={run}>
          {says}
          {hasKeys && <Kbd keys="c" />}
        </Button>
      )}
    </span>
  );
}
