import { randomId, systemClock } from "./system-clock.ts";
import { type Timestamp, toTimestamp } from "./timestamp.ts";

export const UpdateLevel = {
  DEBUG: "debug",
  INFO: "info",
  WARNING: "warning",
  ERROR: "error",
} as const;
export type UpdateLevel = (typeof UpdateLevel)[keyof typeof UpdateLevel];

export const updateLevels = Object.values(UpdateLevel);

export interface TaskUpdateFields {
  taskId: string;
  message: string;
  level?: UpdateLevel;
  timestamp?: Timestamp;
  updateId?: string;
}

/** One progress message of a task. Immutable. */
export class TaskUpdate {
  readonly taskId: string;
  readonly message: string;
  /** `info` when not given. */
  readonly level: UpdateLevel;
  /** Now, when not given; rises within a task even if the clock does not. */
  readonly timestamp: Timestamp;
  /** Generated when not given. */
  readonly updateId: string;

  constructor(fields: TaskUpdateFields) {
    this.taskId = fields.taskId;
    this.message = fields.message;
    this.level = fields.level ?? UpdateLevel.INFO;
    this.timestamp = fields.timestamp ?? toTimestamp(systemClock.now());
    this.updateId = fields.updateId ?? randomId("u");
  }
}
