import type { EngineLog } from "./engine/engine-log.ts";

/** One line a message on standard error: time, level, message, data as JSON. */
export const stderrLog: EngineLog = {
  info: (message, data) => write("INFO", message, data),
  warn: (message, data) => write("WARN", message, data),
  error: (message, data) => write("ERROR", message, data),
};

function write(level: string, message: string, data?: Record<string, unknown>): void {
  const tail = data === undefined ? "" : ` ${JSON.stringify(data)}`;
  process.stderr.write(`${new Date().toISOString()} ${level} ${message}${tail}\n`);
}
