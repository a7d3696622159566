import type { DurableTaskStore } from "../core/durable-task-store.ts";
import type { JsonValue } from "../core/json.ts";
import type { TaskRecord } from "../core/task.ts";
import type { TaskEventKind } from "../core/task-event.ts";
import { emptyHistory, type RecordedHistory } from "./replay.ts";

// Not `question_resolved`: what is posted while a question is open comes after the call that asked.
const questionKinds: readonly TaskEventKind[] = ["question_opened", "attempt_failed"];

/** What a claimed task needs to run: its params, and what earlier attempts recorded. */
export async function readHistory(
  store: DurableTaskStore,
  task: TaskRecord,
): Promise<{ params: JsonValue; history: RecordedHistory }> {
  const params = (await store.getPayload(task.taskId))?.params ?? null;
  if (task.attempt === 1) return { params, history: emptyHistory };
  const [journal, questions] = await Promise.all([
    store.getJournal(task.taskId),
    store.getQuestions(task.taskId),
  ]);
  return {
    params,
    history: {
      journal,
      questions: questions.filter((question) => !question.forgotten),
      tailUpdates: await readTail(store, task, Math.max(0, ...journal.map((e) => e.afterSeq))),
    },
  };
}

/**
 * Updates posted after the last recorded entry: after a step or sleep, a question, or a failed
 * attempt, whose retry shows its own updates.
 */
async function readTail(
  store: DurableTaskStore,
  { taskId }: TaskRecord,
  afterSeq: number,
): Promise<RecordedHistory["tailUpdates"]> {
  const kinds = [...questionKinds, "update" as const];
  const events = await store.readEvents(taskId, { afterSeq, kinds });
  const last = events.findLastIndex((event) => event.kind !== "update");
  return events.slice(last + 1).flatMap((event) => (event.kind === "update" ? [event] : []));
}
