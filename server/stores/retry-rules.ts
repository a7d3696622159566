import type { JournalEntry } from "../core/journal.ts";
import type { QuestionData } from "../core/task-question.ts";

/** The identity of a journal entry within its task. */
export function journalKey({ kind, name, key }: JournalEntry): string {
  return JSON.stringify([kind, name, key]);
}

/** A retry keeps answers; every other outcome no longer answers a call of the handler. */
export function isForgottenByRetry({ outcome, forgotten }: QuestionData): boolean {
  return outcome !== null && outcome !== "answered" && !forgotten;
}
