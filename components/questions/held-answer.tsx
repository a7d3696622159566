"use client";

import { Undo2 } from "lucide-react";
import type { QuestionData } from "@/server/core/task-question.ts";
import { Kbd } from "../keyboard/kbd.tsx";
import { useTicking } from "../time/use-ticking.ts";
import { Button } from "../ui/button.tsx";
import { saidInShort } from "./countdown-text.ts";
import { outbox, type Pending } from "./outbox.ts";

/** Stands in the place of a question's controls while what was said to it can be taken back. */
export function HeldAnswer({ question, pending }: { question: QuestionData; pending: Pending }) {
  const { state, sendAt, said } = pending;
  const { questionId } = question;
  const left = useTicking(() => Math.max(0, Math.ceil((sendAt - Date.now()) / 1000))) ?? 0;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-dashed px-3 py-2.5">
      <p className="min-w-0 flex-1">
        <span className="task-text line-clamp-2 font-medium">{saidInShort(question, said)}</span>
        <span className="tabular text-ink-2 text-sm">
          {state === "sending" ? "Sending…" : `Sent in ${left} s`}
        </span>
      </p>
      {state === "held" && (
        <span className="flex gap-2">
          <Button size="sm" onClick={() => outbox.undo(questionId)}>
            <Undo2 aria-hidden="true" />
            Undo
            <Kbd keys="u" />
          </Button>
          <Button size="sm" variant="quiet" onClick={() => outbox.sendNow(questionId)}>
            Send now
          </Button>
        </span>
      )}
    </div>
  );
}
