import type { QuestionData } from "@/server/core/task-question.ts";
import { approversText } from "./approval-text.ts";

/** That an edit took away the approvals before it. */
export function droppedText(dropped: number): string {
  return dropped === 1
    ? "The approval before the edit no longer counts."
    : `The ${dropped} approvals before the edit no longer count.`;
}

const ends = {
  answered: "approved",
  declined: "declined",
  timed_out: "not answered",
  cancelled: "closed with its task",
} as const;

/** What became of the last approval of an action: `approved by Ann, in another task,`. */
export function previousText(
  { taskId, outcome, resolvedBy, approval }: QuestionData,
  ofTask: string,
): string {
  const end = outcome === null ? "still open" : ends[outcome];
  const by =
    outcome === "answered" && approval
      ? ` by ${approversText(approval)}`
      : outcome === "declined" && resolvedBy
        ? ` by ${resolvedBy.name}`
        : "";
  return `${end}${by}, ${taskId === ofTask ? "in this task" : "in another task of this type"},`;
}
