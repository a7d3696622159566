import type { JsonValue } from "../core/json.ts";
import type { TaskView } from "../core/task.ts";
import type { TaskQuestion } from "../core/task-question.ts";

/** Everything about one task but its timeline. */
export interface TaskDetail {
  task: TaskView;
  /** False when no handler of its type is registered here: nobody would run it. */
  isTypeKnown: boolean;
  /** Seconds that its handler has after a cancel before the task is ended without it. */
  cancelGrace: number;
  /** Seconds on the two clocks: working, and waiting for humans. */
  workedSeconds: number;
  waitedSeconds: number;
  params: JsonValue;
  /** What the handler returned; null until then. */
  result: JsonValue;
  /** `Name: message`; null unless it failed or was cancelled. */
  error: string | null;
  /** Oldest first. */
  questions: TaskQuestion[];
}
