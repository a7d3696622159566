import type { TaskRecord } from "./task.ts";

/**
 * A task driven from outside is run by a program that no worker knows: it has a type without a
 * handler, and a lease that the program keeps up with its calls. When the lease runs out the task
 * ends; it is never run by anybody else.
 */
export function isDriven(task: Pick<TaskRecord, "driverSequence">): boolean {
  return task.driverSequence !== null;
}

const prefix = "driver:";

/** How a driver stands among the workers, in a task's `workerId`. */
export function driverWorkerId(driverId: string): string {
  return prefix + driverId;
}

export function isDriverWorker(workerId: string): boolean {
  return workerId.startsWith(prefix);
}

/** What `result.error` reads when a driver was not heard of any more. */
export const driverLostText =
  "DriverLost: the program that drove this task was not heard of any more";

/** Seconds a driver's lease lasts when it does not say for how long. */
export const driverLeaseSeconds = 60;
