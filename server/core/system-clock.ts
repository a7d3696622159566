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
const idLength = 20;

// Random bytes are fetched many ids at a time: each fetch costs more than the id.
const pool = new Uint8Array(idLength * 200);
let used = pool.length;

/** Ids such as `task_3f9k…`: 20 random characters, 100 bits, from the platform's crypto. */
export const randomId: MakeId = (prefix) => {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let id = `${prefix}_`;
  for (const end = used + idLength; used < end; used += 1) {
    id += alphabet[(pool[used] as number) & 31];
  }
  return id;
};
