import type { ListedQuestion } from "../live/merge-pages.ts";

/**
 * What two questions have in common that can be answered together: the same type of task asks for the
 * same kind of answer. Null for what is looked at and given one by one: approvals and secrets.
 */
export function templateOf(
  question: Pick<
    ListedQuestion,
    "taskType" | "choices" | "multiple" | "schema" | "secret" | "approval"
  >,
): string | null {
  const { taskType, choices, multiple, schema, secret, approval } = question;
  if (secret || approval !== null) return null;
  return JSON.stringify([taskType, choices, multiple, schema]);
}
