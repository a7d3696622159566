import type { TaskPayload, TaskRecord } from "../core/task.ts";

/** How much of each large part of a task is searched. */
export const searchedChars = 4096;

/** The words of a search, in lower case. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/\s+/))].filter((word) => word !== "");
}

/** The text that a search of tasks looks into. */
export function taskText(
  { taskId, labels }: Pick<TaskRecord, "taskId" | "labels">,
  { params, result, error }: TaskPayload,
): string {
  return searchedText([
    taskId,
    JSON.stringify(labels),
    JSON.stringify(params),
    result === null ? "" : JSON.stringify(result),
    error ?? "",
  ]);
}

/** The same from texts as they are stored. */
export function searchedText(parts: readonly string[]): string {
  return parts.map((part) => part.slice(0, searchedChars)).join("\n");
}

/** Whether all words are in the text. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
