import type { WorkTimer } from "./work-timer.ts";

/** Where an attempt's slot comes from and goes back to. */
export interface SlotSource {
  give(): void;
  /** Resolves with a slot, ahead of tasks that have not begun. */
  retake(): Promise<void>;
}

/** What the handler waits for: a human's answer, or a time or another task. */
export type WaitKind = "question" | "other";

/** Told when the attempt begins or ceases to do nothing but wait. */
export interface SlotListener {
  /** A step began (`working`) or ended (`waiting`) while a question is open. */
  onClock(clock: "working" | "waiting"): void;
  onIdle(): void;
  onBusy(): void;
}

/**
 * The slot of one attempt, and its working clock. While the handler does nothing but wait for
 * somebody else, the slot is given back and the clock stands still; before the wait returns to the
 * handler, a slot is taken again. A step that runs meanwhile counts as work.
 */
export class AttemptSlot {
  readonly #source: SlotSource;
  readonly #timer: WorkTimer;
  readonly #listener: SlotListener;
  readonly #waits = { question: 0, other: 0 };
  #steps = 0;
  #isHeld = true;
  #isReleased = false;
  #isStopping = false;
  #retaking: Promise<void> | null = null;
  /** Whoever waits for a slot. */
  readonly #queued = new Set<() => void>();

  /** Begins with a slot held. */
  constructor(source: SlotSource, timer: WorkTimer, listener: SlotListener) {
    this.#source = source;
    this.#timer = timer;
    this.#listener = listener;
    timer.run();
  }

  /** True while every call of the handler that is under way is a wait. */
  get isOnlyWaiting(): boolean {
    return this.#waits.question + this.#waits.other > 0 && this.#steps === 0;
  }

  /** Begins a wait; the returned function ends it and resolves once there is a slot again. */
  beginWait(kind: WaitKind): () => Promise<void> {
    this.#waits[kind] += 1;
    if (this.isOnlyWaiting) this.#give();
    // Asking set the clock to waiting, but a step is under way.
    else if (kind === "question") this.#listener.onClock("working");
    return async () => {
      this.#waits[kind] -= 1;
      // While another question is open and no step runs, the attempt goes on waiting.
      if (this.#waits.question > 0 && this.#steps === 0) this.#listener.onIdle();
      else await this.#take();
    };
  }

  /** Begins a step; resolves once there is a slot. The returned function ends it. */
  async beginStep(): Promise<() => void> {
    this.#steps += 1;
    if (this.#steps === 1 && this.#waits.question > 0) this.#listener.onClock("working");
    await this.#take();
    return () => {
      this.#steps -= 1;
      if (this.#steps === 0 && this.#waits.question > 0) this.#listener.onClock("waiting");
      if (this.isOnlyWaiting) this.#give();
    };
  }

  /**
   * From now on nothing waits for a slot: the handler is asked to stop, and its clean-up must not
   * queue behind the work of others.
   */
  stopQueueing(): void {
    this.#isStopping = true;
    for (const goOn of this.#queued) goOn();
  }

  /** The attempt is over: gives the slot back for good. */
  release(): void {
    this.#isReleased = true;
    this.#timer.pause();
    this.#listener.onBusy();
    this.#giveBack();
  }

  #give(): void {
    this.#timer.pause();
    this.#giveBack();
    this.#listener.onIdle();
  }

  #giveBack(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#source.give();
  }

  async #take(): Promise<void> {
    if (this.#isReleased) return;
    this.#listener.onBusy();
    if (!this.#isHeld && !this.#isStopping) await this.#retake();
    if (!this.#isReleased) this.#timer.run();
  }

  #retake(): Promise<void> {
    this.#retaking ??= this.#source.retake().then(() => {
      this.#retaking = null;
      if (this.#isReleased || this.#isStopping) this.#source.give();
      else this.#isHeld = true;
      for (const goOn of this.#queued) goOn();
    });
    return new Promise<void>((resolve) => {
      const goOn = () => {
        this.#queued.delete(goOn);
        resolve();
      };
      this.#queued.add(goOn);
    });
  }
}
