import { describeThrown, hasErrorCode } from "../core/errors.ts";
import { isTerminal } from "../core/task-status.ts";
import { defaultParkAfterSeconds, type TaskTypeOptions } from "../core/task-type.ts";
import type { EngineParts } from "./engine-parts.ts";

/** What an attempt tells of itself to the one that may park it. */
export interface Parkable {
  readonly taskId: string;
  /** Every unsettled call of the handler is a wait, and no step runs. */
  readonly isOnlyWaiting: boolean;
  readonly awaitedChildren: string[];
  /** @returns whether the task is parked now; false when it is not to be, or something came. */
  park(): Promise<boolean>;
}

/**
 * Takes an attempt that only waits out of memory after a while, if its type wants that and the store
 * is durable. Nothing is told to the handler: its promises never settle, and the task runs again from
 * its journal when it is woken.
 */
export class Parking {
  readonly #parts: EngineParts;
  readonly #attempt: Parkable;
  readonly #afterSeconds: number | null;
  #disarm: () => void = () => {};

  constructor(parts: EngineParts, options: TaskTypeOptions, attempt: Parkable) {
    const { park = false, parkAfter = defaultParkAfterSeconds } = options;
    this.#parts = parts;
    this.#attempt = attempt;
    this.#afterSeconds = park && parts.store.isDurable ? parkAfter : null;
  }

  /** The attempt waits from now on. */
  arm(): void {
    if (this.#afterSeconds === null) return;
    this.#disarm();
    this.#disarm = this.#parts.clock.after(this.#afterSeconds, () => void this.#park());
  }

  /** The attempt works again. */
  disarm(): void {
    this.#disarm();
  }

  async #park(): Promise<void> {
    const { awaitedChildren } = this.#attempt;
    if (await this.#attempt.park()) await this.#wakeIfOver(awaitedChildren);
  }

  /**
   * What a parked task waits for wakes it. But what came while it was being parked, and a child that
   * ended before, when its parent still had a worker, woke nobody.
   */
  async #wakeIfOver(children: string[]): Promise<void> {
    const { store, clock, log } = this.#parts;
    const { taskId } = this.#attempt;
    const isWaitOver = !this.#attempt.isOnlyWaiting;
    for (let delay = 0.1; ; delay = Math.min(delay * 2, 5)) {
      try {
        const tasks = await Promise.all(children.map((child) => store.getTask(child)));
        if (isWaitOver || tasks.some((task) => task && isTerminal(task.status))) {
          await store.commit({ kind: "wake", taskId, at: clock.now() });
        }
        return;
      } catch (error) {
        log.warn("a parked task could not be woken yet", { taskId, error: describeThrown(error) });
        if (!hasErrorCode(error, "store_unavailable")) return;
      }
      await new Promise<void>((resolve) => clock.after(delay, resolve));
    }
  }
}
