import type { JsonValue } from "./json.ts";
import { systemClock } from "./system-clock.ts";
import type { TerminalStatus } from "./task-status.ts";
import { type Timestamp, toTimestamp } from "./timestamp.ts";

export interface TaskResultFields {
  taskId: string;
  status: TerminalStatus;
  result?: JsonValue;
  error?: string | null;
  completedAt?: Timestamp;
}

/** How a task ended. There is one per task, written in the same transaction as its last status. */
export class TaskResult {
  readonly taskId: string;
  readonly status: TerminalStatus;
  /** What the handler returned; null when it returned nothing or did not finish. */
  readonly result: JsonValue;
  /** `Name: message` of what the handler threw; null when it completed. */
  readonly error: string | null;
  readonly completedAt: Timestamp;

  constructor(fields: TaskResultFields) {
    this.taskId = fields.taskId;
    this.status = fields.status;
    this.result = fields.result ?? null;
    this.error = fields.error ?? null;
    this.completedAt = fields.completedAt ?? toTimestamp(systemClock.now());
  }
}
