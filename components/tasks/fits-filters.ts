import { activityOf, type TaskRecord } from "@/server/core/task.ts";
import { isOrderOfEnded } from "@/server/core/task-order.ts";
import type { Timestamp } from "@/server/core/timestamp.ts";
import type { TaskFilters } from "./task-filters.ts";

/**
 * Whether a task of the live feed belongs into a list; null where only the server can say: it alone
 * knows whole texts and whose questions are whose.
 */
export function fitsFilters(
  task: TaskRecord,
  filters: TaskFilters,
  now: Timestamp,
): boolean | null {
  const { statuses, activities, types, text, labels, parent, order } = filters;
  if (statuses.length > 0 && !statuses.includes(task.status)) return false;
  if (activities.length > 0 && !activities.includes(activityOf(task, now))) return false;
  if (types.length > 0 && !types.includes(task.type)) return false;
  if (parent && task.parentTaskId !== parent) return false;
  if (filters.ended && task.finishedAt === null) return false;
  if (isOrderOfEnded(order) && task.finishedAt === null) return false;
  if (!labels.every((label) => hasLabel(task, label))) return false;
  if (filters.waitsForMe) return task.openQuestions === 0 ? false : null;
  if (text === "" || task.taskId.includes(text.toLowerCase())) return true;
  return null;
}

function hasLabel({ labels }: TaskRecord, label: string): boolean {
  const cut = label.indexOf("=");
  return labels[label.slice(0, cut)] === label.slice(cut + 1);
}
