import { AsyncLocalStorage } from "node:async_hooks";
import type { GrantUse } from "../core/approval.ts";
import { Conflict, describeThrown, InvalidInput } from "../core/errors.ts";
import type { JournalEntry } from "../core/journal.ts";
import { type JsonValue, toJsonValue } from "../core/json.ts";
import type { GrantedArgs, StepOptions } from "../core/task-context.ts";
import { toTimestamp } from "../core/timestamp.ts";
import type { AttemptParts } from "./attempt-parts.ts";
import { GrantsInHand } from "./grants-in-hand.ts";
import { isInterruption } from "./interruption.ts";
import { retryDelay } from "./retry-delay.ts";
import type { Sleeping } from "./sleeping.ts";

/** The step whose function runs; of which attempt, because a step may begin another task. */
const insideStep = new AsyncLocalStorage<{ name: string; stepping: Stepping }>();

/** The steps of one attempt: runs them and records what came of it, or returns what is recorded. */
export class Stepping {
  readonly #shared: AttemptParts;
  readonly #sleeping: Sleeping;
  readonly #grants: GrantsInHand;
  readonly #warn: (message: string) => Promise<void>;

  /** @param warn posts an update when a step is tried again. */
  constructor(shared: AttemptParts, sleeping: Sleeping, warn: (message: string) => Promise<void>) {
    this.#shared = shared;
    this.#sleeping = sleeping;
    this.#warn = warn;
    this.#grants = new GrantsInHand(shared);
  }

  /** @throws Conflict when called from within a step of this attempt. */
  refuseInside(what: string): void {
    const outer = insideStep.getStore();
    if (outer?.stepping !== this) return;
    throw new Conflict(
      `ctx.${what} was called inside step "${outer.name}". A step is recorded as a whole; call it ` +
        "outside.",
    );
  }

  /** @param granted what the step needs leave for; null when it needs none. */
  async step(
    name: string,
    fn: (args?: unknown) => unknown,
    options: StepOptions,
    granted: GrantedArgs<unknown> | null,
  ): Promise<JsonValue> {
    this.refuseInside(`step "${name}"`);
    requireName(name);
    const { attempt, replay, engine } = this.#shared;
    attempt.requireLive();
    const key = replay.nextKey(name, options.key);
    const recorded = replay.takeEntry("step", name, key);
    if (recorded?.status === "ok") return recorded.value;
    if (recorded?.status === "failed") throw recordedFailure(recorded);
    if (!options.evenIfCancelled) attempt.checkCancelled();

    const grant = granted && this.#grants.take(name, granted);
    const endCall = replay.begin();
    const startedAt = toTimestamp(engine.clock.now());
    const { taskId } = attempt.task;
    const entry = { taskId, kind: "step" as const, name, key, startedAt };
    let grantUse: GrantUse | undefined;
    try {
      const value = await this.#run(name, options, async () => {
        if (!grant) return fn();
        grantUse = await grant.check();
        return fn(grant.args());
      });
      await attempt.commit({
        kind: "record",
        entry: { ...entry, status: "ok", value, error: null },
        grant: grantUse,
      });
      return value;
    } catch (error) {
      // A step whose grant was refused did not begin.
      const hasBegun = !grant || grantUse !== undefined;
      if (hasBegun && !isInterruption(error, attempt.signal)) {
        await attempt.commit({
          kind: "record",
          entry: { ...entry, status: "failed", value: null, error: describeThrown(error) },
        });
      }
      throw error;
    } finally {
      grant?.giveBack();
      endCall();
    }
  }

  /** Runs a step's function until it succeeds or its retries are used up. */
  async #run(name: string, options: StepOptions, fn: () => Promise<unknown>): Promise<JsonValue> {
    const { attempt } = this.#shared;
    for (let failures = 0; ; failures++) {
      const endStep = await attempt.slot.beginStep();
      let delay: number | null;
      try {
        // It may have waited for its slot for long.
        attempt.requireLive();
        if (!options.evenIfCancelled) attempt.checkCancelled();
        const returned = await insideStep.run({ name, stepping: this }, fn);
        return toJsonValue(returned ?? null, `the value of step "${name}"`);
      } catch (error) {
        delay = retryDelay(options.retries, failures, error);
        if (delay === null || isInterruption(error, attempt.signal)) throw error;
        await this.#warn(`Step "${name}" failed and is tried again: ${describeThrown(error)}`);
      } finally {
        endStep();
      }
      if (options.evenIfCancelled) await this.#sleeping.pause(delay);
      else await this.#sleeping.waitFor(delay);
    }
  }
}

function requireName(name: string): void {
  if (typeof name !== "string" || name === "" || name === "ask" || name === "sleep") {
    throw new InvalidInput(
      `A step needs a name of its own: a text that is not empty, "ask" or "sleep".`,
    );
  }
}

function recordedFailure(entry: JournalEntry): Error {
  const text = entry.error ?? "Error: the step failed";
  const cut = text.indexOf(": ");
  const error = new Error(cut < 0 ? text : text.slice(cut + 2));
  error.name = cut < 0 ? "Error" : text.slice(0, cut);
  return error;
}
