import type { Clock } from "../core/clock.ts";
import { Unauthorized } from "../core/errors.ts";
import { type Timestamp, toTimestamp } from "../core/timestamp.ts";
import type { IdentityStore, SessionRecord } from "../stores/identity-store.ts";
import type { OpenCalls } from "./open-calls.ts";

/** Seconds for which a session that was looked up counts without another look. */
const knownSeconds = 30;
/** Seconds between two notes of when a session was last seen. */
const noteSeconds = 60;
const maxKnown = 10_000;

/** A session as a request needs it. */
export interface FoundSession {
  userId: string;
  sessionId: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface SessionBookOptions {
  store: IdentityStore;
  clock: Clock;
  openCalls: OpenCalls;
  /** Asks whoever keeps sessions; null for a cookie that is none. */
  lookUp(cookie: string): Promise<FoundSession | null>;
  onError(error: unknown): void;
}

/** The sessions there are: found by their cookies, noted when they are used, and ended. */
export class SessionBook {
  readonly #options: SessionBookOptions;
  readonly #known = new Map<string, FoundSession & { lookAgainAt: number }>();
  /** When each session was last noted as seen, in milliseconds since 1970. */
  readonly #notedAt = new Map<string, number>();

  constructor(options: SessionBookOptions) {
    this.#options = options;
  }

  async find(cookie: string): Promise<FoundSession | null> {
    const now = Date.now();
    const known = this.#known.get(cookie);
    if (known && known.lookAgainAt > now) return known.expiresAt > now ? known : null;
    const { openCalls, lookUp } = this.#options;
    const began = openCalls.moment;
    const found = await lookUp(cookie);
    this.#known.delete(cookie);
    if (!found) return null;
    if (this.#known.size >= maxKnown) this.#known.clear();
    // Something was ended while this was looked up: the next call looks again.
    if (openCalls.moment === began) {
      this.#known.set(cookie, { ...found, lookAgainAt: now + knownSeconds * 1000 });
    }
    return found;
  }

  /** Notes that a session is in use, at most once a minute. */
  noteUse(sessionId: string, address: string | null): void {
    const { store, onError } = this.#options;
    const now = Date.now();
    if (now - (this.#notedAt.get(sessionId) ?? 0) < noteSeconds * 1000) return;
    if (this.#notedAt.size >= maxKnown) this.#notedAt.clear();
    this.#notedAt.set(sessionId, now);
    const use = { lastSeenAt: this.#now(), ...(address !== null && { address }) };
    store.noteSession(sessionId, use).catch(onError);
  }

  list(userId: string): Promise<SessionRecord[]> {
    return this.#options.store.listSessions(userId, this.#now());
  }

  /**
   * Ends sessions of a person, with the polls and streams they have open: all, or one, or all but one.
   *
   * @returns the ids of those that ended.
   */
  async end(userId: string, which?: { only?: string; except?: string }): Promise<string[]> {
    // In the database first: what is looked up from then on finds nothing, and what was looked up
    // before is ended by the moment that the next line makes.
    const ended = await this.#options.store.endSessions(userId, which);
    for (const sessionId of ended) this.drop(sessionId);
    return ended;
  }

  /** Ends what a session has open: it is in the database no more. */
  drop(sessionId: string): void {
    this.#forget((session) => session.sessionId === sessionId);
    this.#notedAt.delete(sessionId);
    this.#options.openCalls.end(`session:${sessionId}`, sessionEnded());
  }

  /** Looks a person's sessions up again, and ends what they have open: their rights changed. */
  forgetPerson(userId: string): void {
    this.#forget((session) => session.userId === userId);
    this.#options.openCalls.end(`user:${userId}`, sessionEnded());
  }

  #forget(isMeant: (session: FoundSession) => boolean): void {
    for (const [cookie, session] of this.#known) if (isMeant(session)) this.#known.delete(cookie);
  }

  #now(): Timestamp {
    return toTimestamp(this.#options.clock.now());
  }
}

/** The refusal of a session that does not count any more. */
export function sessionEnded(): Unauthorized {
  return new Unauthorized("This session has ended. Sign in again.");
}
