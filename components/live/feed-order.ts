import type { FeedMessage } from "./feed-message.ts";

/** A message as the tab with the stream passes it on. */
export interface RelayedMessage {
  /** The id before it in its stream; null for the first of a stream that resumes nothing. */
  after: string | null;
  /** The id after which a stream goes on behind it. */
  id: string;
  message: FeedMessage;
}

/**
 * Keeps one tab's messages in order, whoever passes them on. When the stream changes hands, what the
 * last tab sent and what the next one sends may cross: each message is taken once, none is left out,
 * and a gap is found out by what a message says it comes after.
 */
export class FeedOrder {
  #last: string | null = null;

  /** The id of the last message taken; null before there was any. */
  get last(): string | null {
    return this.#last;
  }

  /** Begins after an id: what was before it has been read otherwise. */
  begin(id: string): void {
    this.#last = id;
  }

  /** `take`: it is the next one. `drop`: it was had already. `gap`: something before it is missing. */
  put({ after, id, message }: RelayedMessage): "take" | "drop" | "gap" {
    // Everything is read anew, so nothing before it matters, not even on which side of it one is.
    if (message.kind === "reset") {
      if (id === this.#last) return "drop";
      this.#last = id;
      return "take";
    }
    if (this.#last === null || after === null || Number(after) > Number(this.#last)) return "gap";
    const ahead = Number(id) - Number(this.#last);
    // State without an event has the id of the event before it, and may be told again.
    if (ahead < 0 || (ahead === 0 && message.kind === "event")) return "drop";
    this.#last = id;
    return "take";
  }
}
