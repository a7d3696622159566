/** Where a task stands. The last three are terminal: such a task never changes again. */
export const TaskStatus = {
  PENDING: "pending",
  RUNNING: "running",
  WAITING_FOR_INPUT: "waiting_for_input",
  COMPLETED: "completed",
  FAILED: "failed",
  CANCELLED: "cancelled",
} as const;

export type TaskStatus = (typeof TaskStatus)[keyof typeof TaskStatus];
export type TerminalStatus = "completed" | "failed" | "cancelled";

export const taskStatuses = Object.values(TaskStatus);

/** True for `completed`, `failed` and `cancelled`. */
export function isTerminal(status: TaskStatus): status is TerminalStatus {
  return status === "completed" || status === "failed" || status === "cancelled";
}
