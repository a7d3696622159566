/** Where the engine reports what no caller waits for. */
export interface EngineLog {
  info(message: string, data?: Record<string, unknown>): void;
  warn(message: string, data?: Record<string, unknown>): void;
  error(message: string, data?: Record<string, unknown>): void;
}

export const silentLog: EngineLog = { info() {}, warn() {}, error() {} };
