import { describeThrown } from "./core/errors.ts";
import type { EngineLog } from "./engine/engine-log.ts";

/**
 * From now on a promise that is rejected and that nobody waits for is logged, and the process goes on.
 * Such promises come from handlers that forget an `await`; Node would end the process, and with it every
 * other task's attempt, for work that nobody asked the result of. An error that is thrown
 * outside of any promise still ends the process: what it left undone is unknown, and the next process
 * resumes every task.
 */
export function surviveStrayRejections(log: EngineLog): void {
  process.on("unhandledRejection", (reason) => {
    log.error(
      "A promise was rejected and nobody waited for it. Await it where it is made, or catch its error.",
      {
        error: describeThrown(reason),
        ...(reason instanceof Error ? { stack: reason.stack } : {}),
      },
    );
  });
}
