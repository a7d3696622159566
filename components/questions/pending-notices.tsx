import { Kbd } from "../keyboard/kbd.tsx";
import { dismissNotice, notify } from "../toasts/notify.ts";
import { outcomeText, saidInShort } from "./countdown-text.ts";
import { type OutboxEvent, outbox, type Pending } from "./outbox.ts";

const promptLength = 120;

/** Says what is about to be sent, with the way back. */
export function noticeOfHeld(id: string, last: Pending, count: number): void {
  const [first] = last.questions;
  if (!first) return;
  const to = last.questions.length > 1 ? ` to ${last.questions.length} questions` : "";
  notify({
    id,
    title: `${saidInShort(first, last.said)}${to}`,
    detail:
      count > 1
        ? `and ${count - 1} more, sent in a few seconds`
        : `Sent in a few seconds: ${first.prompt.slice(0, promptLength)}`,
    seconds: Number.POSITIVE_INFINITY,
    action: {
      label: (
        <>
          Undo <Kbd keys="u" />
        </>
      ),
      run: () => outbox.undo(),
    },
  });
}

export function endNotice(id: string): void {
  dismissNotice(id);
}

/** Says what came of something that was said a while ago, on whichever page its author is by now. */
export function noticeOfEvent(event: OutboxEvent, open: (questionId: string) => void): void {
  if (event.kind === "undone") return;
  const { question } = event;
  const action = { label: "Show", run: () => open(question.questionId) };
  if (event.kind === "late") {
    notify({
      id: `late-${question.questionId}`,
      title: outcomeText(question),
      detail: `Yours was not needed: ${question.prompt.slice(0, promptLength)}`,
      seconds: 10,
      action,
    });
    return;
  }
  notify({
    id: `refused-${question.questionId}`,
    tone: "bad",
    title: "Your answer was not taken",
    detail: `${event.error.message} ${question.prompt.slice(0, promptLength)}`,
    action,
  });
}
