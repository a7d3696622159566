import type { z } from "zod";
import type { AgentTasks, PolledTask } from "./agent-tasks.ts";
import { type ToolFields, toldPoll } from "./snake-case.ts";
import { operatorsOnly } from "./tool-failure.ts";
import { maxToolPollSeconds, type pollTaskInput } from "./tool-inputs.ts";
import type { ToolCall } from "./tool-specs.ts";

/** Updates a page of a poll has, and pages that are read for one call. */
const pageSize = 500;
const maxPages = 20;

/** Waits once, and reads on where there is more than a page: the digest is made of all of it. */
export async function pollForTool(
  args: z.output<typeof pollTaskInput>,
  { tasks, signal }: ToolCall,
): Promise<ToolFields> {
  const { task_id: taskId, since = null, wait_for: waitFor, max_chars: maxChars } = args;
  const timeout = Math.min(args.timeout, maxToolPollSeconds);
  const first = await tasks.pollTask(taskId, { since, timeout, waitFor, limit: pageSize, signal });
  const response = await readOn(tasks, taskId, first, signal);
  const told = toldPoll(response, maxChars);
  if (timeout < args.timeout) {
    told.notice = `A timeout of ${args.timeout} s was read as ${timeout} s, the longest here.`;
  }
  const next = nextStep(response);
  return next === null ? told : { ...told, next_step: next };
}

async function readOn(
  tasks: AgentTasks,
  taskId: string,
  first: PolledTask,
  signal: AbortSignal | undefined,
): Promise<PolledTask> {
  let last = first;
  const updates = [...first.updates];
  for (let page = 1; last.hasMore && page < maxPages; page++) {
    const since = last.cursor;
    last = await tasks.pollTask(taskId, { since, timeout: 0, limit: pageSize, signal });
    updates.push(...last.updates);
  }
  return { ...withoutMethods(last), updates };
}

/** The fields alone: a response of this process is a class. */
function withoutMethods(response: PolledTask): PolledTask {
  const { taskId, status, updates, pendingQuestions, result, cursor } = response;
  const { hasMore, progress, cancelRequested, notice } = response;
  return {
    taskId,
    status,
    updates,
    pendingQuestions,
    result,
    cursor,
    hasMore,
    progress,
    cancelRequested,
    notice,
  };
}

function nextStep({ result, pendingQuestions, hasMore }: PolledTask): string | null {
  if (result !== null) return null;
  if (hasMore) return "There are more updates: call poll_task again at once with since = cursor.";
  if (pendingQuestions.some(({ answerableBy }) => answerableBy === "anyone")) {
    return "Put the pending question to the customer, then call respond_to_question.";
  }
  if (pendingQuestions.length > 0) return operatorsOnly;
  return "Call poll_task again with since = cursor.";
}
