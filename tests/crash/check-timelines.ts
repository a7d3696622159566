import { isTerminal, type TaskStatus } from "../../server/core/task-status.ts";
import type { Findings } from "./check-history.ts";
import type { FinalTask } from "./final-state.ts";
import type { History } from "./history.ts";

/** Every timeline is whole and in order, and every task has ended, once. */
export function checkTimelines({ final, ledger }: History): Findings {
  const violations: string[] = [];
  const positions = new Set<number>();
  let events = 0;
  for (const task of final.tasks) {
    violations.push(...checkTimeline(task));
    events += task.events.length;
    for (const { position } of task.events) positions.add(position);
  }
  if (positions.size < events) violations.push("two events have the same position");

  let posted = 0;
  const updatesOf = new Map<string, Map<string, number>>();
  for (const task of final.tasks) updatesOf.set(task.taskId, countMessages(task));
  for (const line of ledger) {
    if (line.kind !== "posted") continue;
    posted += 1;
    const times = updatesOf.get(line.taskId)?.get(line.message) ?? 0;
    if (times === 0) violations.push(`an update of ${line.taskId} is lost: ${line.message}`);
    if (times > 1) violations.push(`an update of ${line.taskId} is there twice: ${line.message}`);
  }
  return { violations, counts: { tasks: final.tasks.length, events, updates: posted } };
}

function checkTimeline({ taskId, type, status, events, openQuestions }: FinalTask): string[] {
  const found: string[] = [];
  const name = `task ${taskId} (${type})`;
  for (const [i, event] of events.entries()) {
    const before = events[i - 1];
    if (event.seq !== i + 1) {
      found.push(`${name} has seq ${event.seq} in place ${i + 1}`);
      break;
    }
    if (before && event.at <= before.at) {
      found.push(`${name}: the time of seq ${event.seq} is not after the one before`);
    }
    if (before && event.position <= before.position) {
      found.push(`${name}: the position of seq ${event.seq} is not after the one before`);
    }
  }
  const ends = events.filter(({ kind }) => kind === "task_finished");
  const last = events.at(-1);
  if (!isTerminal(status as TaskStatus)) found.push(`${name} has not ended: it is ${status}`);
  else if (ends.length !== 1) found.push(`${name} ended ${ends.length} times`);
  else if (last?.kind !== "task_finished") found.push(`${name} went on after its end`);
  else if (last.status !== status) found.push(`${name} is ${status} but ended ${last.status}`);
  if (openQuestions !== 0) found.push(`${name} has ended with ${openQuestions} open questions`);
  return found;
}

function countMessages({ events }: FinalTask): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== "update") continue;
    counts.set(event.message, (counts.get(event.message) ?? 0) + 1);
  }
  return counts;
}
