import type { EpochMicros } from "./timestamp.ts";

/** Cancels what a {@link Clock} scheduled; calling it late or twice does nothing. */
export type CancelTimer = () => void;

/** Time as the engine sees it. Tests pass one they move by hand. */
export interface Clock {
  now(): EpochMicros;
  /**
   * Runs `callback` once, no earlier than `seconds` from now. Any length works: an implementation
   * on `setTimeout`, which overflows after 24.8 days, re-arms itself.
   */
  after(seconds: number, callback: () => void): CancelTimer;
}

/** Makes ids that are unique across processes. The prefix tells people what an id is of. */
export type MakeId = (prefix: "task" | "q" | "u" | "w" | "auto") => string;
