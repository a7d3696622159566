import { environment } from "../env.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";

/** What the command line takes from its options and the environment. */
export interface CliSettings {
  /** Where the server is, without a slash at the end. */
  url: string;
  apiKey: string | null;
  /** The task around, inside of `toolthread run`, and who drives it. */
  taskId: string | null;
  driverId: string | null;
  hasColour: boolean;
}

const usualUrl = "http://127.0.0.1:3000";

/** @throws CommandFailure for an address that is none. */
export function readCliSettings(options: { url?: string; apiKey?: string }): CliSettings {
  const env = environment();
  const url = options.url ?? (env.TOOLTHREAD_URL || usualUrl);
  if (!/^https?:\/\/[^\s/]+/.test(url)) {
    throw new CommandFailure(
      `"${url}" is not the address of a server: set --url or TOOLTHREAD_URL, for example ${usualUrl}.`,
      exitCodes.usage,
    );
  }
  return {
    url: url.replace(/\/+$/, ""),
    apiKey: options.apiKey ?? (env.TOOLTHREAD_API_KEY || null),
    taskId: env.TOOLTHREAD_TASK || null,
    driverId: env.TOOLTHREAD_DRIVER || null,
    hasColour: process.stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
  };
}

/** The environment of a command that is run as a task. */
export function childEnvironment(
  { url, apiKey }: CliSettings,
  { taskId, driverId }: { taskId: string; driverId: string },
): NodeJS.ProcessEnv {
  return {
    ...environment(),
    TOOLTHREAD_URL: url,
    ...(apiKey === null ? {} : { TOOLTHREAD_API_KEY: apiKey }),
    TOOLTHREAD_TASK: taskId,
    TOOLTHREAD_DRIVER: driverId,
  };
}
