import type { SlotSource } from "./attempt-slot.ts";
import { SlotPool } from "./slot-pool.ts";

/** The slots of a process: so many in all, and so many of each task type that has a limit. */
export class Slots {
  readonly #all: SlotPool;
  readonly #byType = new Map<string, SlotPool>();
  readonly #onFree: () => void;

  /** @param onFree called when a slot became free for a task that has not begun. */
  constructor(limit: number, onFree: () => void) {
    this.#all = new SlotPool(limit, onFree);
    this.#onFree = onFree;
  }

  limitType(type: string, limit: number): void {
    this.#byType.set(type, new SlotPool(limit, this.#onFree));
  }

  get free(): number {
    return this.#all.free;
  }

  /** How many tasks of this type can begin now. */
  freeFor(type: string): number {
    return Math.min(this.#all.free, this.#byType.get(type)?.free ?? Number.POSITIVE_INFINITY);
  }

  tryTake(type: string): boolean {
    if (this.freeFor(type) === 0) return false;
    this.#byType.get(type)?.tryTake();
    return this.#all.tryTake();
  }

  /** The slots that an attempt of this type gives back and takes again. */
  sourceFor(type: string): SlotSource {
    const own = this.#byType.get(type);
    return {
      give: () => {
        this.#all.give();
        own?.give();
      },
      // Always the type's slot first: two attempts can then never wait for each other.
      retake: async () => {
        await own?.retake();
        await this.#all.retake();
      },
    };
  }
}
