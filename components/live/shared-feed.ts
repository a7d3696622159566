import { type ConnectionState, silentAfterSeconds } from "./connection-state.ts";
import type { FeedMessage } from "./feed-message.ts";
import { FeedOrder, type RelayedMessage } from "./feed-order.ts";
import { FeedStream, type FeedStreamListener } from "./feed-stream.ts";

const sharedName = "toolthread-live-1";
const watchSeconds = 2;
/** Seconds in which a tab that has just opened is told where the feed is. */
const greetingSeconds = 5;
/** Seconds that a hidden tab, whose timers are slow, gets to connect again before one that is seen. */
const hiddenTrySeconds = 3;

/** What the tabs of a browser tell each other. */
type TabMessage =
  | ({ kind: "message" } & RelayedMessage)
  /** From the tab with the stream: how the stream is, and how far. */
  | { kind: "lead"; state: ConnectionState; isHidden: boolean; id: string | null }
  /** From a tab that has just opened: how is the stream? */
  | { kind: "hello" }
  /** From a tab that missed something: it has all up to this id. */
  | { kind: "behind"; id: string };

export interface FeedListener {
  onMessage(message: FeedMessage): void;
  onState(state: ConnectionState): void;
  /** Whether this tab has the stream: of the tabs that are open, exactly one. */
  onLead(leads: boolean): void;
}

/** What a feed needs of the browser. */
export interface FeedPorts {
  locks: Pick<LockManager, "request"> | undefined;
  openChannel: ((name: string) => BroadcastChannel) | undefined;
  openStream(
    listener: FeedStreamListener,
    lastEventId: string | null,
  ): Pick<FeedStream, "open" | "close" | "reconnect">;
}

const browserPorts = (): FeedPorts => ({
  locks: navigator.locks,
  openChannel:
    typeof BroadcastChannel === "function" ? (name) => new BroadcastChannel(name) : undefined,
  openStream: (listener, lastEventId) => new FeedStream(listener, lastEventId),
});

/**
 * The live feed of this tab. A browser has one stream for all its tabs, because it opens no more than
 * six connections to a server: the tab that holds a lock has it and passes on what it says. The lock
 * goes to another tab when its holder is closed, frozen or has crashed, and is taken from one that
 * has gone silent. Whoever gets it goes on after the last message it has. Where a browser has no
 * locks, each tab has a stream.
 */
export class SharedFeed {
  readonly #listener: FeedListener;
  readonly #ports: FeedPorts;
  readonly #order = new FeedOrder();
  #channel: BroadcastChannel | null = null;
  #stream: ReturnType<FeedPorts["openStream"]> | null = null;
  /** The last id of the present stream. */
  #streamId: string | null = null;
  #release: (() => void) | null = null;
  #waiting: AbortController | null = null;
  #state: ConnectionState = "connecting";
  /** When the tab with the stream was last heard, and since when it has been cut off. */
  #heardAt = 0;
  #downSince: number | null = null;
  #askedAt = 0;
  #leaderIsHidden = false;
  #watchTimer: ReturnType<typeof setInterval> | undefined;
  #watchedAt = 0;
  #isOpen = false;

  constructor(listener: FeedListener, ports: FeedPorts = browserPorts()) {
    this.#listener = listener;
    this.#ports = ports;
  }

  open(): void {
    this.#isOpen = true;
    const { locks, openChannel } = this.#ports;
    if (!locks || !openChannel) {
      this.#lead();
      return;
    }
    this.#channel = openChannel(sharedName);
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#hear(data);
    document.addEventListener("visibilitychange", this.#onVisibility);
    document.addEventListener("freeze", this.#onFreeze);
    addEventListener("pagehide", this.#onFreeze);
    document.addEventListener("resume", this.#onResume);
    addEventListener("pageshow", this.#onResume);
    this.#follow();
  }

  close(): void {
    this.#isOpen = false;
    document.removeEventListener("visibilitychange", this.#onVisibility);
    document.removeEventListener("freeze", this.#onFreeze);
    removeEventListener("pagehide", this.#onFreeze);
    document.removeEventListener("resume", this.#onResume);
    removeEventListener("pageshow", this.#onResume);
    this.#stop();
    this.#channel?.close();
    this.#channel = null;
  }

  /** Connects anew at once, from this tab: somebody asked for it here. */
  readonly reconnect = (): void => {
    if (this.#stream) this.#stream.reconnect();
    else this.#take();
  };

  /** Waits for the stream, and lives on what the tab that has it says. */
  #follow(): void {
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.#heardAt = Date.now();
    this.#watchedAt = Date.now();
    clearInterval(this.#watchTimer);
    this.#watchTimer = setInterval(this.#watch, watchSeconds * 1000);
    this.#hold({ signal: waiting.signal });
    this.#post({ kind: "hello" });
  }

  /** Takes the stream from the tab that has it. */
  #take(): void {
    this.#waiting?.abort();
    this.#waiting = null;
    this.#heardAt = Date.now();
    this.#hold({ steal: true });
  }

  #hold(options: LockOptions): void {
    let isMine = false;
    const held = this.#ports.locks?.request(sharedName, options, () => {
      if (!this.#isOpen || this.#stream) return;
      isMine = true;
      this.#waiting = null;
      return new Promise<void>((release) => {
        this.#release = release;
        this.#lead();
      });
    });
    held?.catch(() => {
      // This tab does not wait any more, or another one took what it had.
      if (!isMine) return;
      this.#endStream();
      if (this.#isOpen) this.#follow();
    });
  }

  #lead(): void {
    clearInterval(this.#watchTimer);
    // Those who hear nothing take it for dead.
    this.#watchTimer = setInterval(() => this.#tell(), watchSeconds * 1000);
    this.#openStream(this.#order.last);
    this.#listener.onLead(true);
    this.#tell();
  }

  #openStream(lastEventId: string | null): void {
    this.#stream?.close();
    this.#streamId = lastEventId;
    const stream = this.#ports.openStream(
      {
        onMessage: (id, json) => this.#pass(id, JSON.parse(json)),
        onState: (state) => {
          this.#setState(state);
          this.#tell();
        },
        onHeartbeat: () => this.#tell(),
      },
      lastEventId,
    );
    this.#stream = stream;
    stream.open();
  }

  #endStream(): void {
    this.#stream?.close();
    this.#stream = null;
    this.#release?.();
    this.#release = null;
    this.#listener.onLead(false);
  }

  /** Leaves the stream to others, and waits for it no more. */
  #stop(): void {
    clearInterval(this.#watchTimer);
    this.#waiting?.abort();
    this.#waiting = null;
    if (this.#stream) this.#endStream();
  }

  /** A message of this tab's own stream: for this tab, and for the others. */
  #pass(id: string, message: FeedMessage): void {
    const relayed = { after: this.#streamId, id, message };
    this.#streamId = id;
    this.#post({ kind: "message", ...relayed });
    if (this.#order.put(relayed) === "take") this.#listener.onMessage(message);
  }

  #hear(data: TabMessage): void {
    if (this.#stream) {
      this.#hearAsLeader(data);
    } else if (data.kind === "lead") {
      this.#heardAt = Date.now();
      this.#leaderIsHidden = data.isHidden;
      if (this.#order.last === null && data.id !== null) {
        // Whatever was read before now may be older than this.
        this.#order.begin(data.id);
        this.#listener.onMessage({ kind: "reset", position: Number(data.id) });
      }
      this.#setState(data.state);
    } else if (data.kind === "message") {
      this.#heardAt = Date.now();
      const verdict = this.#order.put(data);
      if (verdict === "take") this.#listener.onMessage(data.message);
      if (verdict === "gap") this.#askForMissing();
    }
  }

  #askForMissing(): void {
    const { last } = this.#order;
    const now = Date.now();
    // Before the first word of where the feed is, nothing can be missing. What is on its way already
    // has the same gap before it.
    if (last === null || now - this.#askedAt < 500) return;
    this.#askedAt = now;
    this.#post({ kind: "behind", id: last });
  }

  #hearAsLeader(data: TabMessage): void {
    if (data.kind === "hello") this.#tell();
    // What crossed with the change of hands, from the tab that had the stream before.
    else if (data.kind === "message" && this.#order.put(data) === "take") {
      this.#listener.onMessage(data.message);
    } else if (data.kind === "behind" && Number(data.id) < Number(this.#streamId)) {
      // All who have it already leave it out.
      this.#openStream(data.id);
    }
  }

  #tell(): void {
    if (!this.#stream) return;
    const { hidden: isHidden } = document;
    this.#post({ kind: "lead", state: this.#state, isHidden, id: this.#streamId });
  }

  #post(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  readonly #watch = (): void => {
    const now = Date.now();
    const slept = now - this.#watchedAt > silentAfterSeconds * 1000;
    this.#watchedAt = now;
    // After a sleep no tab has heard of another; they get a moment to.
    if (slept) this.#heardAt = Math.max(this.#heardAt, now - (silentAfterSeconds - 4) * 1000);
    const silent = (now - this.#heardAt) / 1000;
    const patience = this.#order.last === null ? greetingSeconds : silentAfterSeconds;
    if (silent > silentAfterSeconds && this.#state === "live") this.#setState("reconnecting");
    const downSeconds = this.#downSince === null ? 0 : (now - this.#downSince) / 1000;
    const wouldDoBetter = !document.hidden && this.#leaderIsHidden;
    // Not all tabs at once.
    const isDead = silent > patience + Math.random() * watchSeconds;
    if (isDead || (wouldDoBetter && downSeconds > hiddenTrySeconds)) this.#take();
  };

  readonly #onVisibility = (): void => {
    if (this.#stream) this.#tell();
    else if (this.#waiting) this.#watch();
  };

  readonly #onFreeze = (): void => this.#stop();

  readonly #onResume = (): void => {
    if (this.#isOpen && !this.#stream && !this.#waiting) this.#follow();
  };

  #setState(state: ConnectionState): void {
    this.#downSince = state === "live" ? null : (this.#downSince ?? Date.now());
    if (state === this.#state) return;
    this.#state = state;
    this.#listener.onState(state);
  }
}
