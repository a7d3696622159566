import type { Activity, TaskRecord } from "@/server/core/task.ts";
import type { TaskStatus } from "@/server/core/task-status.ts";

/** How a status looks and reads, everywhere. docs/design.md shows the same table. */
export interface StatusLook {
  label: string;
  /** Text in the status's colour, readable on every background. */
  text: string;
  /** Marks and bars: at least 3:1 on every background, not for text. */
  solid: string;
  /** A background for text in the same status's colour. */
  tint: string;
}

export const statusTable: Readonly<Record<TaskStatus, StatusLook>> = {
  pending: {
    label: "Pending",
    text: "text-pending",
    solid: "bg-pending-solid",
    tint: "bg-pending-tint",
  },
  running: {
    label: "Running",
    text: "text-running",
    solid: "bg-running-solid",
    tint: "bg-running-tint",
  },
  waiting_for_input: {
    label: "Waiting for input",
    text: "text-waiting",
    solid: "bg-waiting-solid",
    tint: "bg-waiting-tint",
  },
  completed: {
    label: "Completed",
    text: "text-completed",
    solid: "bg-completed-solid",
    tint: "bg-completed-tint",
  },
  failed: {
    label: "Failed",
    text: "text-failed",
    solid: "bg-failed-solid",
    tint: "bg-failed-tint",
  },
  cancelled: {
    label: "Cancelled",
    text: "text-cancelled",
    solid: "bg-cancelled-solid",
    tint: "bg-cancelled-tint",
  },
};

/** What the status alone does not tell; null when it tells everything. */
export function activityNote(
  task: Pick<TaskRecord, "status" | "cancelRequestedAt" | "attempt">,
  activity: Activity,
): string | null {
  if (activity === "done") return null;
  if (task.cancelRequestedAt !== null) return "cancelling";
  switch (activity) {
    case "queued":
      return task.attempt > 0 ? "waits to be retried" : "queued";
    case "parked":
      return "parked";
    case "resuming":
      return "resuming";
    default:
      return null;
  }
}
