import { forgetSession, openSession } from "../api/session.ts";
import {
  type ConnectionState,
  retryDelaySeconds,
  silentAfterSeconds,
  stateWhenDown,
} from "./connection-state.ts";

const watchSeconds = 2;

export interface FeedStreamListener {
  /** One message of the feed, as JSON, and the id after which a later stream goes on. */
  onMessage(id: string, json: string): void;
  onState(state: ConnectionState): void;
  /** The server lives, though it has nothing to say. */
  onHeartbeat(): void;
}

/**
 * The stream of the live feed. It reconnects by itself, for as long as it takes, and resumes after
 * the last id it has. A stream that is open and silent is dead: the server sends heartbeats, and
 * their absence is measured by the wall clock, which goes on while a machine sleeps.
 */
export class FeedStream {
  readonly #listener: FeedStreamListener;
  #source: EventSource | null = null;
  #lastEventId: string | null;
  #connects = 0;
  #attempts = 0;
  #wasLive: boolean;
  #downSince: number | null = null;
  /** When the present try began, or the server was last heard. */
  #heardAt = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #watchTimer: ReturnType<typeof setInterval> | undefined;
  #state: ConnectionState | null = null;

  /** @param lastEventId where to go on; null begins with a `reset`. */
  constructor(listener: FeedStreamListener, lastEventId: string | null = null) {
    this.#listener = listener;
    this.#lastEventId = lastEventId;
    this.#wasLive = lastEventId !== null;
  }

  open(): void {
    this.#downSince = Date.now();
    this.#watchTimer = setInterval(this.#watch, watchSeconds * 1000);
    addEventListener("online", this.reconnect);
    addEventListener("offline", this.#down);
    // Timers of a hidden page come late, and those of one that was frozen not at all.
    document.addEventListener("visibilitychange", this.#watch);
    void this.#connect();
  }

  close(): void {
    clearTimeout(this.#retryTimer);
    clearInterval(this.#watchTimer);
    removeEventListener("online", this.reconnect);
    removeEventListener("offline", this.#down);
    document.removeEventListener("visibilitychange", this.#watch);
    this.#drop();
  }

  /** Drops whatever connection there is and connects at once, resuming where it was. */
  readonly reconnect = (): void => {
    this.#attempts = 0;
    void this.#connect();
  };

  /** Ends the present connection and whatever is still under way for one. */
  #drop(): number {
    clearTimeout(this.#retryTimer);
    this.#source?.close();
    this.#source = null;
    this.#connects += 1;
    return this.#connects;
  }

  async #connect(): Promise<void> {
    const connect = this.#drop();
    this.#heardAt = Date.now();
    try {
      await openSession();
    } catch {
      if (connect === this.#connects) this.#retry();
      return;
    }
    if (connect !== this.#connects) return;
    const input = this.#lastEventId === null ? {} : { lastEventId: this.#lastEventId };
    const query = new URLSearchParams({ input: JSON.stringify(input) });
    const source = new EventSource(`/api/trpc/live.feed?${query}`);
    this.#source = source;
    // The names are those of tRPC's streams; a source that was closed tells nothing more.
    source.addEventListener("connected", () => this.#up());
    source.addEventListener("ping", () => {
      this.#heard();
      this.#listener.onHeartbeat();
    });
    source.addEventListener("message", ({ data, lastEventId }) => {
      this.#heard();
      this.#lastEventId = lastEventId;
      this.#listener.onMessage(lastEventId, data);
    });
    // A server that shuts down ends its streams; the next one has the rest. The browser's own tries
    // become slower and slower, and cannot renew the session.
    for (const end of ["error", "return", "serialized-error"]) {
      source.addEventListener(end, () => this.#retry());
    }
  }

  #heard(): void {
    this.#heardAt = Date.now();
  }

  #up(): void {
    this.#heard();
    this.#attempts = 0;
    this.#downSince = null;
    this.#wasLive = true;
    this.#setState("live");
  }

  readonly #down = (): void => {
    this.#downSince ??= Date.now();
    const downSeconds = (Date.now() - this.#downSince) / 1000;
    this.#setState(stateWhenDown(this.#wasLive, downSeconds, navigator.onLine));
  };

  #retry(): void {
    this.#drop();
    this.#down();
    this.#attempts += 1;
    forgetSession();
    const seconds = retryDelaySeconds(this.#attempts);
    // Waiting is not silence.
    this.#heardAt = Date.now() + seconds * 1000;
    this.#retryTimer = setTimeout(() => void this.#connect(), seconds * 1000);
  }

  readonly #watch = (): void => {
    if (this.#downSince !== null) this.#down();
    if (Date.now() - this.#heardAt < silentAfterSeconds * 1000) return;
    this.#attempts += 1;
    this.#down();
    forgetSession();
    void this.#connect();
  };

  #setState(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#listener.onState(state);
  }
}
