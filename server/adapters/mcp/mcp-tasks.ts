import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { beginningOf } from "../../core/beginning-of.ts";
import { hasErrorCode } from "../../core/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import type { TaskView } from "../../core/task.ts";
import type { QuestionData } from "../../core/task-question.ts";
import type { ToldTask } from "../agent-tools/agent-tasks.ts";
import { answerFirstThatFits } from "../agent-tools/respond-for-tool.ts";
import type { ProcedureTasks } from "./procedure-tasks.ts";
import { answerOfForm, isForClients, questionForm } from "./question-form.ts";

/** The methods of the Tasks extension. */

export const taskIdParams = z.object({ taskId: z.string().min(1).max(200) });

/** A task as the extension shows it while it is not told in detail. */
export function createdTask(task: TaskView): JsonObject {
  return { ...taskFields(task, "working", null), resultType: "task" };
}

/** `tasks/get`: how it stands, what it asks, and how it ended. */
export async function getMcpTask(tasks: ProcedureTasks, taskId: string): Promise<JsonObject> {
  const detail = await tasks.getTask(taskId);
  const { task, questions } = detail;
  if (task.status === "failed" && machineryFaults.test(detail.error ?? "")) {
    const error = { code: ProtocolErrorCode.InternalError, message: endMessage(detail) };
    return { ...taskFields(task, "failed", endMessage(detail)), error };
  }
  switch (task.status) {
    case "completed":
    case "failed":
      return { ...taskFields(task, "completed", endMessage(detail)), result: callResult(detail) };
    case "cancelled":
      return taskFields(task, "cancelled", endMessage(detail));
    default: {
      const open = questions.filter(({ outcome }) => outcome === null);
      const asked = open.filter(isForClients);
      const message = waitMessage(open) ?? (await lastWords(tasks, task));
      if (asked.length === 0) return taskFields(task, "working", message);
      const inputRequests = asked.map((question) => [question.questionId, questionForm(question)]);
      return {
        ...taskFields(task, "input_required", message),
        inputRequests: Object.fromEntries(inputRequests),
      };
    }
  }
}

/**
 * Faults of what runs the task, and not of the work: the protocol has a status for these alone. What a
 * handler throws is a result of its tool, marked as an error.
 */
const machineryFaults =
  /^(Interrupted|DriverLost|LeaseLost|ReplayMismatch|AmbiguousStep|SecretUnreadable|StoreUnavailable): /;

const elicited = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.unknown()).nullish(),
});

/**
 * `tasks/update`: answers what is open. Keys of questions that are unknown, closed or not for clients
 * are passed over; `cancel` leaves the question open, for whoever else can answer it.
 *
 * @throws ProtocolError for answers that do not fit: their questions stay open, the others count.
 */
export async function updateMcpTask(
  tasks: ProcedureTasks,
  taskId: string,
  responses: Record<string, unknown>,
): Promise<JsonObject> {
  const { questions } = await tasks.getTask(taskId);
  const wrong: JsonObject = {};
  for (const [key, response] of Object.entries(responses)) {
    const question = questions.find(({ questionId }) => questionId === key);
    if (!question || !isForClients(question)) continue;
    const problem = await respond(tasks, question, response);
    if (problem !== null) wrong[key] = problem;
  }
  const problems = Object.entries(wrong).map(([key, problem]) => `${key}: ${problem}`);
  if (problems.length === 0) return {};
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `These questions are still open. ${problems.join("; ")}`,
    { inputResponses: wrong },
  );
}

/** @returns what is wrong with the response; null when it counts, or came too late. */
async function respond(
  tasks: ProcedureTasks,
  question: Readonly<QuestionData>,
  response: unknown,
): Promise<string | null> {
  const parsed = elicited.safeParse(response);
  if (!parsed.success) return "a response is { action: accept, decline or cancel, content }";
  const { action, content } = parsed.data;
  if (action === "cancel") return null;
  if (action === "decline") {
    await tasks.declineQuestion(question.questionId);
    return null;
  }
  try {
    const answer = answerOfForm(question, (content ?? {}) as JsonObject);
    await answerFirstThatFits(question, answer, tasks);
    return null;
  } catch (thrown) {
    if (hasErrorCode(thrown, "invalid_answer")) return thrown.message;
    throw thrown;
  }
}

function taskFields(task: TaskView, status: string, statusMessage: string | null): JsonObject {
  return {
    taskId: task.taskId,
    status,
    ...(statusMessage !== null && { statusMessage }),
    createdAt: task.createdAt,
    lastUpdatedAt: task.lastEventAt,
    // It is kept for as long as the server keeps ended tasks, which counts from its end.
    ttlMs: null,
    pollIntervalMs: pollIntervalMs(task),
  };
}

/** Soon while it is young or waits for a human; a task of hours needs no more than that. */
function pollIntervalMs(task: TaskView): number {
  return task.status === "waiting_for_input" || task.workedSeconds < 60 ? 1000 : 5000;
}

const maxMessage = 500;

/** What an open question waits for, when no client can answer it. */
function waitMessage(open: readonly Readonly<QuestionData>[]): string | null {
  const [first] = open;
  if (!first) return null;
  const who = isForClients(first) ? "Asks" : "Waits for an operator to answer in the dashboard";
  return shortened(`${who}: ${first.prompt}`);
}

/** Events that are looked at for the last update; progress and others may come after it. */
const eventsBack = 20;

/** The last update, or the progress when that is newer. */
async function lastWords(tasks: ProcedureTasks, task: TaskView): Promise<string | null> {
  const afterSeq = Math.max(0, task.lastSeq - eventsBack);
  const events = await tasks.readEvents(task.taskId, { afterSeq, limit: eventsBack });
  const update = events.findLast((event) => event.kind === "update");
  const said = update?.kind === "update" ? update.message : null;
  const { progress } = task;
  if (!progress || (update && update.at > progress.at && progress.message !== said)) {
    return said && shortened(said);
  }
  const { done, total, message, unit } = progress;
  const number = total === null ? String(done) : `${done} of ${total}`;
  const count = unit === undefined ? number : `${number} ${unit}`;
  return shortened(message ? `${count}: ${message}` : count);
}

function endMessage({ task, error }: ToldTask): string {
  if (task.status === "completed") return "Completed";
  return shortened(error ?? (task.status === "failed" ? "Failed" : "Cancelled"));
}

/** What the call of the tool would have returned. That a task failed is a result, marked as error. */
function callResult({ task, result, error }: ToldTask): JsonObject {
  const resultType = "complete";
  if (task.status === "failed") {
    const text = error ?? "The task failed.";
    return { resultType, content: [{ type: "text", text }], isError: true };
  }
  return {
    resultType,
    content: [{ type: "text", text: textOf(result) }],
    ...(isJsonObject(result) && { structuredContent: result }),
    isError: false,
  };
}

function textOf(result: JsonValue): string {
  return typeof result === "string" ? result : JSON.stringify(result);
}

function shortened(text: string): string {
  return text.length <= maxMessage ? text : `${beginningOf(text, maxMessage)}…`;
}
