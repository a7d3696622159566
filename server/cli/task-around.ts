import type { CliContext } from "./cli-context.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";

/** What every call of a driver says of itself. */
export interface DriverCall {
  taskId: string;
  driverId: string;
}

/** The task of the `toolthread run` around. @throws CommandFailure where there is none. */
export function taskAround({ settings }: CliContext): DriverCall {
  const { taskId, driverId } = settings;
  if (taskId !== null && driverId !== null) return { taskId, driverId };
  throw new CommandFailure(
    "There is no task around: use this inside of `toolthread run`, which sets TOOLTHREAD_TASK.",
    exitCodes.usage,
  );
}
