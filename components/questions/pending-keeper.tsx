"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { patiently } from "../ui/lazy-part.ts";
import { outbox } from "./outbox.ts";
import { openQuestion } from "./use-chosen-question.ts";
import { usePending } from "./use-pending.ts";

const noticeId = "pending-answers";
const loadNotices = () => patiently(() => import("./pending-notices.tsx"));

/**
 * Keeps what was said and is not sent yet, on whichever page: shows it, takes it back on U, and sends
 * it when the page is left.
 */
export default function PendingKeeper() {
  const router = useRouter();
  const pending = usePending();
  const held = pending.filter(({ state }) => state === "held");

  useEffect(
    () =>
      outbox.onEvent((event) => {
        const open = (questionId: string) => openQuestion(questionId, router.push);
        void loadNotices().then(({ noticeOfEvent }) => noticeOfEvent(event, open));
      }),
    [router],
  );

  const last = held.at(-1);
  const count = held.length;
  const isShown = useRef(false);
  useEffect(() => {
    if (last === undefined && !isShown.current) return;
    isShown.current = last !== undefined;
    void loadNotices().then(({ noticeOfHeld, endNotice }) => {
      // It may have been sent or taken back while the notice was loaded.
      const isHeld = outbox.pending().some(({ id, state }) => id === last?.id && state === "held");
      if (last && isHeld) noticeOfHeld(noticeId, last, count);
      else if (!isShown.current) endNotice(noticeId);
    });
  }, [last, count]);

  useShortcuts([
    {
      keys: ["u", "$mod+z"],
      label: "Take back what was said last",
      section: "Questions",
      when: count > 0,
      run: () => {
        const undone = outbox.undo();
        const [first] = undone?.questions ?? [];
        if (first && location.pathname === "/") openQuestion(first.questionId, router.push);
      },
    },
  ]);
  return null;
}
