import { InvalidInput } from "../core/errors.ts";
import {
  addSeconds,
  microsPerSecond,
  parseTimestamp,
  type Timestamp,
  toTimestamp,
} from "../core/timestamp.ts";
import type { AttemptParts } from "./attempt-parts.ts";
import { deferred } from "./deferred.ts";

/** The sleeps of one attempt, whose ends are recorded and outlast it. */
export class Sleeping {
  readonly #shared: AttemptParts;

  constructor(shared: AttemptParts) {
    this.#shared = shared;
  }

  async sleep(seconds: number, explicitKey: string | undefined): Promise<void> {
    if (!Number.isFinite(seconds) || seconds < 0) {
      throw new InvalidInput(`sleep takes seconds from 0 on, but this is ${seconds}.`);
    }
    const { attempt, replay } = this.#shared;
    const key = replay.nextKey("sleep", explicitKey);
    const recorded = replay.takeEntry("sleep", "sleep", key);
    if (!recorded) attempt.checkCancelled();
    const endCall = replay.begin();
    try {
      await this.#waitUntil(recorded ? String(recorded.value) : await this.#record(key, seconds));
    } finally {
      endCall();
    }
  }

  /** Waits without recording it. @throws TaskCancelled */
  waitFor(seconds: number): Promise<void> {
    return this.#waitUntil(this.#in(seconds));
  }

  /** Waits without recording it, also when the task was cancelled. */
  pause(seconds: number): Promise<void> {
    return new Promise((resolve) => this.#shared.engine.clock.after(seconds, resolve));
  }

  async #record(key: string, seconds: number): Promise<Timestamp> {
    const { attempt, engine } = this.#shared;
    const until = this.#in(seconds);
    await attempt.commit({
      kind: "record",
      entry: {
        taskId: attempt.task.taskId,
        kind: "sleep",
        name: "sleep",
        key,
        status: "pending",
        value: until,
        error: null,
        startedAt: toTimestamp(engine.clock.now()),
      },
    });
    return until;
  }

  async #waitUntil(until: Timestamp): Promise<void> {
    const { attempt, engine, waits } = this.#shared;
    const left = (parseTimestamp(until) - engine.clock.now()) / microsPerSecond;
    if (left <= 0) return;
    attempt.checkCancelled();
    const { promise, resolve, reject } = deferred<void>();
    const stopTimer = engine.clock.after(left, resolve);
    const removeWait = waits.add({ reject, stopTimer, until });
    const endWait = attempt.slot.beginWait("other");
    try {
      await promise;
    } finally {
      stopTimer();
      removeWait();
      await endWait();
    }
  }

  #in(seconds: number): Timestamp {
    return addSeconds(toTimestamp(this.#shared.engine.clock.now()), seconds);
  }
}
