import type { Clock, MakeId } from "./clock.ts";

const maxTimerSeconds = 24 * 60 * 60;

// performance.now() adds the microseconds that Date.now() lacks; re-reading the difference
// whenever it drifts follows adjustments of the system clock.
let offsetMicros = Date.now() * 1000 - Math.floor(performance.now() * 1000);

/** The machine's clock and timers. */
export const systemClock: Clock = {
  now() {
    const wall = Date.now() * 1000;
    const precise = Math.floor(performance.now() * 1000) + offsetMicros;
    if (precise >= wall - 1000 && precise < wall + 2000) return precise;
    offsetMicros = wall - Math.floor(performance.now() * 1000);
    return wall;
  },
  after(seconds, callback) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (left: number) => {
      timer = setTimeout(
        () => (left > maxTimerSeconds ? arm(left - maxTimerSeconds) : callback()),
        Math.max(0, Math.min(left, maxTimerSeconds)) * 1000,
      );
    };
    arm(seconds);
    return () => clearTimeout(timer);
  },
};

// Crockford's base 32 without look-alikes, lower case: safe in URLs and easy to read aloud.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Ids such as `task_3f9k…`: 20 random characters, 100 bits, from the platform's crypto. */
export const randomId: MakeId = (prefix) => {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  let id = `${prefix}_`;
  for (const byte of bytes) id += alphabet[byte & 31];
  return id;
};
