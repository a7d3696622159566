/**
 * A number of slots: how many handlers may work at the same time. A task that waits gives its slot
 * back; when its wait is over it takes one again, ahead of tasks that have not begun.
 */
export class SlotPool {
  readonly #limit: number;
  readonly #returning: (() => void)[] = [];
  readonly #onFree: () => void;
  #used = 0;

  /** @param onFree called when a slot is free and nobody who returns from a wait wants it. */
  constructor(limit: number, onFree: () => void) {
    this.#limit = limit;
    this.#onFree = onFree;
  }

  get free(): number {
    return this.#returning.length > 0 ? 0 : Math.max(0, this.#limit - this.#used);
  }

  /** Takes a slot for a task that begins; false when there is none. */
  tryTake(): boolean {
    if (this.free === 0) return false;
    this.#used += 1;
    return true;
  }

  /** Takes a slot for a task that returns from a wait; resolves when it has one. */
  async retake(): Promise<void> {
    if (this.tryTake()) return;
    await new Promise<void>((resolve) => this.#returning.push(resolve));
  }

  give(): void {
    const next = this.#returning.shift();
    if (next) {
      next();
    } else {
      this.#used -= 1;
      this.#onFree();
    }
  }
}
