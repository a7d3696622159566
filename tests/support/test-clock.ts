import type { Clock } from "../../server/core/clock.ts";
import { type EpochMicros, microsPerSecond, parseTimestamp } from "../../server/core/timestamp.ts";

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /**
   * Lets `seconds` pass: every timer due by then fires in the order of its time (equal times in the
   * order they were set), each at its own time, and whatever it started is settled before the
   * next. Timers set meanwhile fire too when they fall within the span.
   */
  advance(seconds: number): Promise<void>;
  /** Sets the wall clock forward or back, as an adjustment of the system's would; fires nothing. */
  jump(seconds: number): void;
  /** Lets promises and pending I/O callbacks run, without any time passing. */
  settle(): Promise<void>;
  /** Timers waiting to fire; a test that expects none left over looks here. */
  readonly pendingTimers: number;
}

interface Timer {
  dueAt: EpochMicros;
  order: number;
  callback: () => void;
}

// Turns of the event loop, not microtasks alone: a store on native code answers on a later turn.
const turnsToSettle = 8;

export function testClock(
  startMicros: EpochMicros = parseTimestamp("2026-11-30T12:00:00Z"),
): TestClock {
  const timers = new Set<Timer>();
  // Timers go by elapsed time and never notice a jump, like setTimeout.
  let elapsed = 0;
  let wallOffset = startMicros;
  let order = 0;

  const nextDue = (until: EpochMicros): Timer | undefined =>
    [...timers]
      .filter((timer) => timer.dueAt <= until)
      .sort((a, b) => a.dueAt - b.dueAt || a.order - b.order)[0];

  const settle = async () => {
    for (let turn = 0; turn < turnsToSettle; turn++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };

  return {
    now: () => wallOffset + elapsed,
    after(seconds, callback) {
      const timer = { dueAt: elapsed + toMicros(Math.max(0, seconds)), order: order++, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(seconds) {
      const until = elapsed + toMicros(seconds);
      await settle();
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        timers.delete(timer);
        elapsed = Math.max(elapsed, timer.dueAt);
        timer.callback();
        await settle();
      }
      elapsed = until;
    },
    jump(seconds) {
      wallOffset += toMicros(seconds);
    },
    settle,
    get pendingTimers() {
      return timers.size;
    },
  };
}

function toMicros(seconds: number): EpochMicros {
  return Math.round(seconds * microsPerSecond);
}
