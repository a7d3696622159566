/** A place in a {@link WaitingLine}. */
export interface Place {
  /** Resolves when everybody before has left. */
  turn: Promise<void>;
  leave(): void;
}

/** Lets one after the other in, in the order in which they came. */
export class WaitingLine {
  #last: Promise<void> = Promise.resolve();
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  join(): Place {
    const turn = this.#last;
    let leave = () => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    this.#length += 1;
    return {
      turn,
      leave: () => {
        this.#length -= 1;
        leave();
      },
    };
  }
}
