/**
 * Milliseconds between two deliveries under a burst; a lone message waits a frame at most. With what the
 * way and the rendering take, nearly all of a burst is on the screen within a tenth of a second.
 */
const burstMillis = 64;
const frameMillis = 16;

/**
 * Collects messages and delivers them in batches: at once while it is quiet, at most fifteen times a
 * second under a burst, so that a page renders as rarely as is useful. A timer and not an animation
 * frame, because hidden tabs have none and the title still has to follow.
 */
export class FeedBuffer<Message> {
  readonly #deliver: (messages: Message[]) => void;
  #messages: Message[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #deliveredAt = 0;

  constructor(deliver: (messages: Message[]) => void) {
    this.#deliver = deliver;
  }

  add(message: Message): void {
    this.#messages.push(message);
    const pause = this.#deliveredAt + burstMillis - performance.now();
    // The timers of a hidden tab may come a minute late.
    if (document.hidden && pause <= 0) {
      this.flush();
      return;
    }
    if (this.#timer !== null) return;
    const wait = Math.max(frameMillis, pause);
    this.#timer = setTimeout(() => this.flush(), wait);
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const messages = this.#messages;
    if (messages.length === 0) return;
    this.#messages = [];
    this.#deliveredAt = performance.now();
    this.#deliver(messages);
  }
}
