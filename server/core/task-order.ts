/**
 * How tasks can be ordered: by creation, by their newest event, by their end, or by the time they
 * worked. The last four are orders of what has ended: before that neither is known.
 */
export const taskOrders = [
  "newest",
  "oldest",
  "latest_updated",
  "earliest_updated",
  "latest_finished",
  "earliest_finished",
  "longest",
  "shortest",
] as const;
export type TaskOrder = (typeof taskOrders)[number];

/** Whether an order is one of tasks that ended only. */
export function isOrderOfEnded(order: TaskOrder): boolean {
  return taskOrders.indexOf(order) >= taskOrders.indexOf("latest_finished");
}
