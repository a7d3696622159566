import { parseTimestamp } from "../../server/core/timestamp.ts";
import type { Findings } from "./check-history.ts";
import type { FinalStep } from "./final-state.ts";
import type { History } from "./history.ts";
import type { LedgerLine } from "./ledger.ts";

// A timer may fire a little before its time by the clock.
const timerSlackMillis = 5;

/**
 * A recorded step never runs again and never changes, a sleep keeps its end, and a concurrency key
 * lets one task in.
 */
export function checkSteps({ ledger, final }: History): Findings {
  const violations: string[] = [];
  const recorded = new Map<string, FinalStep>();
  for (const entry of final.journal) recorded.set(idOf(entry.kind, entry.taskId, entry.key), entry);

  const completed = new Map<string, number>();
  for (const { taskId, events } of final.tasks) {
    for (const event of events) {
      if (event.kind !== "step_completed") continue;
      const id = idOf("step", taskId, event.key);
      completed.set(id, (completed.get(id) ?? 0) + 1);
    }
  }
  for (const [id, times] of completed) {
    if (times > 1) violations.push(`${id} was recorded ${times} times`);
    if (!recorded.has(id)) violations.push(`${id} is in the timeline and not in the journal`);
  }

  const lastRun = new Map<string, string>();
  let steps = 0;
  let runsAgain = 0;
  for (const line of ledger) {
    if (line.kind === "ran") {
      const id = idOf("step", line.taskId, line.step);
      if (lastRun.has(id)) runsAgain += 1;
      lastRun.set(id, line.value);
    }
    if (line.kind === "got") {
      steps += 1;
      const id = idOf("step", line.taskId, line.step);
      const kept = recorded.get(id);
      if (kept?.status !== "ok") violations.push(`${id} was acknowledged and is lost`);
      else if (kept.value !== line.value) violations.push(`${id} gave two values`);
    }
    if (line.kind === "slept") {
      const id = idOf("sleep", line.taskId, line.key);
      const until = recorded.get(id)?.value;
      if (typeof until !== "string") violations.push(`${id} is over and was not recorded`);
      else if (line.atMillis + timerSlackMillis < parseTimestamp(until) / 1000) {
        violations.push(`${id} ended before its time`);
      }
    }
  }
  for (const [id, { kind, status, value }] of recorded) {
    if (kind !== "step" || status !== "ok") continue;
    if (lastRun.get(id) !== value) violations.push(`${id} ran again after it was recorded`);
  }
  violations.push(...checkKeys(ledger));
  return { violations, counts: { steps, "steps run again before they were recorded": runsAgain } };
}

/** Once the next task is in, the one before never comes back. */
function checkKeys(ledger: readonly LedgerLine[]): string[] {
  const found: string[] = [];
  const inside = new Map<string, string>();
  const gone = new Set<string>();
  for (const line of ledger) {
    if (line.kind !== "entered") continue;
    const before = inside.get(line.key);
    if (before !== undefined && before !== line.taskId) gone.add(before);
    if (gone.has(line.taskId)) {
      found.push(`task ${line.taskId} worked under the key ${line.key} beside another`);
    }
    inside.set(line.key, line.taskId);
  }
  return found;
}

function idOf(kind: string, taskId: string, key: string): string {
  return `${kind} "${key}" of ${taskId}`;
}
