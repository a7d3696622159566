import { setTimeout as pause } from "node:timers/promises";
import type { Outcome, QuestionRequest, TaskContext } from "../../server/core/task-context.ts";
import type { RetryPolicy } from "../../server/core/task-type.ts";
import type { Ledger } from "./ledger.ts";

/** A `ctx` whose every call is noted in the ledger. */
export class Witness {
  readonly ctx: TaskContext;
  readonly #ledger: Ledger;

  constructor(ctx: TaskContext, ledger: Ledger) {
    this.ctx = ctx;
    this.#ledger = ledger;
    ledger.write({ kind: "began", taskId: ctx.taskId, attempt: ctx.attempt });
  }

  /** A step that takes a while; its value is a number nobody else gets. */
  async step(
    key: string,
    options: {
      millis?: number;
      retries?: RetryPolicy;
      fails?: number;
      evenIfCancelled?: boolean;
    } = {},
  ): Promise<string> {
    const { taskId } = this.ctx;
    const { millis = 0, retries, evenIfCancelled } = options;
    let fails = options.fails ?? 0;
    const value = await this.ctx.step(
      "work",
      async () => {
        if (fails > 0) {
          fails -= 1;
          throw new Error(`${key} fails ${fails} more times`);
        }
        const made = crypto.randomUUID();
        this.#ledger.write({ kind: "ran", taskId, step: key, value: made });
        if (millis > 0) await pause(millis);
        return made;
      },
      { key, retries, evenIfCancelled },
    );
    this.#ledger.write({ kind: "got", taskId, step: key, value });
    return value;
  }

  async update(message: string): Promise<void> {
    const { taskId } = this.ctx;
    await this.ctx.update(message);
    this.#ledger.write({ kind: "posted", taskId, message });
  }

  async ask(request: QuestionRequest & { key: string }): Promise<Outcome> {
    const { taskId } = this.ctx;
    const heard = await this.ctx.ask(request);
    const { outcome, answer, question } = heard;
    const { questionId } = question;
    this.#ledger.write({ kind: "heard", taskId, key: request.key, questionId, outcome, answer });
    return heard as Outcome;
  }

  async sleep(key: string, seconds: number): Promise<void> {
    await this.ctx.sleep(seconds, { key });
    const { taskId } = this.ctx;
    this.#ledger.write({ kind: "slept", taskId, key, atMillis: Date.now() });
  }

  enter(key: string): void {
    this.#ledger.write({ kind: "entered", taskId: this.ctx.taskId, key });
  }
}
