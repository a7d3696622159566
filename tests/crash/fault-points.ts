import type { ApiHandler } from "../../server/adapters/http/api-handler.ts";
import { SqliteConnection } from "../../server/stores/sqlite-connection.ts";

/**
 * Where a process can be made to die: between two statements of a batch, before its COMMIT, between
 * the COMMIT and telling anybody, and between that and the response.
 */
export const faultPoints = ["statement", "before_commit", "after_commit", "before_reply"] as const;
export type FaultPoint = (typeof faultPoints)[number];

/** Dies when the point is passed for the n-th time from now. */
export interface Fault {
  point: FaultPoint;
  nth: number;
}

/**
 * Puts fault points into this process, from outside: the product has no place where a fault could
 * be set.
 */
export class FaultPoints {
  #armed: Fault | null = null;

  arm(fault: Fault): void {
    this.#armed = { ...fault };
  }

  /** Every statement that the writer runs from now on passes the points. */
  watchWrites(): void {
    const pass = (point: FaultPoint) => this.#pass(point);
    const { run } = SqliteConnection.prototype;
    SqliteConnection.prototype.run = async function (sql, ...args) {
      if (sql === "COMMIT") pass("before_commit");
      const changed = await run.call(this, sql, ...args);
      if (sql === "COMMIT") pass("after_commit");
      else if (/^(INSERT|UPDATE|DELETE)/.test(sql)) pass("statement");
      return changed;
    };
  }

  /** The same API, whose responses to writes pass the last point. */
  watchReplies(handleApi: ApiHandler): ApiHandler {
    return async (request) => {
      const response = await handleApi(request);
      if (request.method === "POST") this.#pass("before_reply");
      return response;
    };
  }

  #pass(point: FaultPoint): void {
    if (this.#armed?.point !== point) return;
    this.#armed.nth -= 1;
    if (this.#armed.nth <= 0) process.kill(process.pid, "SIGKILL");
  }
}
