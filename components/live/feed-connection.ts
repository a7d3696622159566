import { api } from "../api/api-client.ts";
import { forgetSession } from "../api/session.ts";
import {
  type ConnectionState,
  lostAfterSeconds,
  retryDelaySeconds,
  stateWhenDown,
} from "./connection-state.ts";
import type { FeedMessage } from "./feed-message.ts";

/** A timer that fires this many seconds late means the machine slept. */
const sleptSeconds = 30;
const watchSeconds = 5;

export interface FeedListener {
  onMessage(message: FeedMessage): void;
  onState(state: ConnectionState): void;
}

/**
 * The one stream of this tab. It reconnects by itself, for as long as it takes, and resumes after
 * the last position it has: tRPC's link does so while its EventSource lives, and this class when
 * the EventSource gave up, the browser came back online, or the machine woke up.
 */
export class FeedConnection {
  readonly #listener: FeedListener;
  #subscription: { unsubscribe(): void } | null = null;
  #lastEventId: string | null = null;
  #attempts = 0;
  #wasLive = false;
  #downSince: number | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #watchTimer: ReturnType<typeof setInterval> | undefined;
  #watchedAt = 0;
  #state: ConnectionState = "connecting";

  constructor(listener: FeedListener) {
    this.#listener = listener;
  }

  open(): void {
    this.#downSince = Date.now();
    this.#watchedAt = Date.now();
    this.#watchTimer = setInterval(() => this.#watch(), watchSeconds * 1000);
    addEventListener("online", this.reconnect);
    addEventListener("offline", this.#onOffline);
    this.#connect();
  }

  close(): void {
    clearTimeout(this.#retryTimer);
    clearInterval(this.#watchTimer);
    removeEventListener("online", this.reconnect);
    removeEventListener("offline", this.#onOffline);
    this.#subscription?.unsubscribe();
    this.#subscription = null;
  }

  /** Drops whatever connection there is and connects at once, resuming where it was. */
  readonly reconnect = (): void => {
    clearTimeout(this.#retryTimer);
    this.#attempts = 0;
    this.#connect();
  };

  readonly #onOffline = (): void => {
    this.#down();
  };

  #connect(): void {
    this.#subscription?.unsubscribe();
    const lastEventId = this.#lastEventId;
    let isCurrent = true;
    const subscription = api.live.feed.subscribe(lastEventId === null ? {} : { lastEventId }, {
      onStarted: () => isCurrent && this.#up(),
      onData: (tracked) => {
        if (!isCurrent) return;
        this.#lastEventId = tracked.id;
        this.#listener.onMessage(tracked.data);
      },
      onConnectionStateChange: ({ state }) => {
        if (isCurrent && state === "connecting") this.#down();
      },
      onError: () => isCurrent && this.#retry(),
      // A server that shuts down ends its streams; the next one has the rest.
      onComplete: () => isCurrent && this.#retry(),
    });
    this.#subscription = {
      unsubscribe() {
        isCurrent = false;
        subscription.unsubscribe();
      },
    };
  }

  #up(): void {
    this.#attempts = 0;
    this.#downSince = null;
    this.#wasLive = true;
    this.#setState("live");
  }

  #down(): void {
    this.#downSince ??= Date.now();
    const downSeconds = (Date.now() - this.#downSince) / 1000;
    this.#setState(stateWhenDown(this.#wasLive, downSeconds, navigator.onLine));
  }

  #retry(): void {
    this.#down();
    this.#attempts += 1;
    forgetSession();
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#connect(), retryDelaySeconds(this.#attempts) * 1000);
  }

  #watch(): void {
    const now = Date.now();
    const slept = now - this.#watchedAt > (watchSeconds + sleptSeconds) * 1000;
    this.#watchedAt = now;
    if (slept) this.reconnect();
    else if (this.#downSince !== null) {
      this.#down();
      // An EventSource that cannot reach the server tries for ever, but slower and slower.
      if (now - this.#downSince > lostAfterSeconds * 1000 && this.#attempts === 0) this.#retry();
    }
  }

  #setState(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#listener.onState(state);
  }
}
