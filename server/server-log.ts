import { pino } from "pino";
import type { EngineLog } from "./engine/engine-log.ts";
import type { LogLevel } from "./env.ts";

/** A request that was answered. It has no bodies, and no query, which may hold what somebody searches. */
export interface AnsweredRequest {
  requestId: string;
  method: string;
  path: string;
  status: number;
  seconds: number;
  address: string | null;
}

/** The log of a server. */
export interface ServerLog extends EngineLog {
  /** On level `debug`, which is off by default. */
  answered(request: AnsweredRequest): void;
}

/**
 * One JSON object a line on standard error: `level`, `time`, `message`, and the data beside them.
 *
 * @param write replaces standard error for tests.
 */
export function createServerLog(level: LogLevel, write?: (line: string) => void): ServerLog {
  const log = pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Written at once: what is logged before a crash is what one wants to read after it.
    write ? { write } : pino.destination({ dest: 2, sync: true }),
  );
  return {
    info: (message, data) => log.info(data ?? {}, message),
    warn: (message, data) => log.warn(data ?? {}, message),
    error: (message, data) => log.error(data ?? {}, message),
    answered: (request) => log.debug(request, "A request was answered"),
  };
}
