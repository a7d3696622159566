import type { Actor } from "./actor.ts";
import type { JsonValue } from "./json.ts";
import type { ProgressPace } from "./progress-pace.ts";
import { isTerminal, type TaskStatus } from "./task-status.ts";
import { secondsBetween, type Timestamp } from "./timestamp.ts";

/** How far a task says it is. State, not history: only the latest is kept. */
export interface Progress {
  done: number;
  /** null when the handler does not know how much there is. */
  total: number | null;
  message: string | null;
  at: Timestamp;
  /** What is counted, for example `bytes` or `files`; left out when the handler did not say. */
  unit?: string;
  /** Reckoned by the store when it is written. */
  pace?: ProgressPace;
}

/** Short key-value pairs for finding a task. */
export type Labels = Record<string, string>;

/**
 * A task without its payload: narrow on purpose, so that lists and every state change stay cheap
 * however large parameters and results are.
 */
export interface TaskRecord {
  taskId: string;
  type: string;
  status: TaskStatus;
  createdAt: Timestamp;
  createdBy: Actor;
  /** When the first attempt began. */
  startedAt: Timestamp | null;
  finishedAt: Timestamp | null;
  /** `seq` of the newest event. */
  lastSeq: number;
  lastEventAt: Timestamp;
  /** Executions of the handler so far. */
  attempt: number;
  /** Fencing number: raised by every claim; a write that names another one is refused. */
  epoch: number;
  /** Attempts whose worker vanished while they worked, since one of them last got further. */
  interrupts: number;
  /** Attempts that ended because the handler threw. */
  failures: number;
  /** The worker that holds the lease; null when none runs it. */
  workerId: string | null;
  leaseExpiresAt: Timestamp | null;
  /** From when on a worker should pick it up; null when there is nothing to do. */
  wakeAt: Timestamp | null;
  /** Higher runs first. */
  priority: number;
  labels: Labels;
  cancelRequestedAt: Timestamp | null;
  cancelReason: string | null;
  cancelledBy: Actor | null;
  progress: Progress | null;
  openQuestions: number;
  parentTaskId: string | null;
  rerunOf: string | null;
  idempotencyKey: string | null;
  /** Digest of type and params of an idempotent start, to refuse the key for another request. */
  requestDigest: string | null;
  /** What it must not run beside others of, for example a tenant; null when it may. */
  concurrencyKey: string | null;
  /** Whether it counts among those that run under the key. */
  holdsKey: boolean;
  /**
   * Of a task driven from outside: the number its driver gave the last update it posted, 0 before the
   * first. Null for any other task.
   */
  driverSequence: number | null;
  /** Time spent working and time spent waiting for humans, up to `clockSince`. */
  workedSeconds: number;
  waitedSeconds: number;
  /** Which of the two clocks runs; null while neither does. */
  clock: "working" | "waiting" | null;
  clockSince: Timestamp | null;
  /** The first 300 characters of the error, for lists. */
  errorSummary: string | null;
}

/** The parts of a task that can be large. */
export interface TaskPayload {
  params: JsonValue;
  result: JsonValue;
  error: string | null;
}

/** What happens to a task at this moment, which its status alone does not tell. */
export const activities = ["queued", "running", "waiting", "parked", "resuming", "done"] as const;
export type Activity = (typeof activities)[number];

/**
 * `queued`: waits for a worker, or for its time. `running`: a worker has it. `waiting`: a worker
 * has it and it waits for an answer. `parked`: it waits and no worker has it. `resuming`: it was
 * under way, has no worker now and will get one.
 */
export function activityOf(task: TaskRecord, now: Timestamp): Activity {
  if (isTerminal(task.status)) return "done";
  if (task.status === "pending") return "queued";
  const held = task.leaseExpiresAt !== null && task.leaseExpiresAt > now;
  if (held) return task.status === "waiting_for_input" ? "waiting" : "running";
  if (task.wakeAt !== null) return task.wakeAt <= now ? "resuming" : "parked";
  // A lease that ran out a moment ago, of a task that has work left, will be taken over.
  return task.workerId !== null && task.status === "running" ? "resuming" : "parked";
}

/** A task as lists and feeds show it. */
export type TaskView = TaskRecord & { activity: Activity };

export function toTaskView(task: TaskRecord, now: Timestamp): TaskView {
  return { ...task, activity: activityOf(task, now) };
}

/** Both clocks of a task at `now`, in seconds, the running one included. */
export function clocksOf(
  task: Pick<TaskRecord, "workedSeconds" | "waitedSeconds" | "clock" | "clockSince">,
  now: Timestamp,
): { worked: number; waited: number } {
  const running = task.clockSince === null ? 0 : Math.max(0, secondsBetween(task.clockSince, now));
  return {
    worked: task.workedSeconds + (task.clock === "working" ? running : 0),
    waited: task.waitedSeconds + (task.clock === "waiting" ? running : 0),
  };
}
