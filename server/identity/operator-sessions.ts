import { Access } from "../core/access.ts";
import type { Clock } from "../core/clock.ts";
import { Forbidden, InvalidInput, TaskNotFound, Unauthorized } from "../core/errors.ts";
import { microsPerSecond, parseTimestamp } from "../core/timestamp.ts";
import type { EngineLog } from "../engine/engine-log.ts";
import type { IdentityStore, PersonRecord, SessionRecord } from "../stores/identity-store.ts";
import { type AttemptLimiter, addressBucket } from "./attempt-limiter.ts";
import type { Caller, CallOrigin, NoteIdentityEvent } from "./caller.ts";
import { cookieNamed } from "./cookie-named.ts";
import { addressHeader, createAuth } from "./create-auth.ts";
import type { OpenCalls } from "./open-calls.ts";
import { maxPasswordLength, type People } from "./people.ts";
import { hashOf } from "./secret-token.ts";
import { type FoundSession, SessionBook, sessionEnded } from "./session-book.ts";
import type { TypeRuleBook } from "./type-rule-book.ts";

/** Seconds for which a session is young enough to add another way to sign in. */
const freshSeconds = 3600;

export interface SessionsOptions {
  store: IdentityStore;
  clock: Clock;
  secret: string;
  people: People;
  rules: TypeRuleBook;
  openCalls: OpenCalls;
  limits: { address: AttemptLimiter; account: AttemptLimiter };
  note: NoteIdentityEvent;
  log: EngineLog;
}

/** People's passwords and sessions: better-auth, called as a library by our own routes. */
export class OperatorSessions {
  readonly #options: SessionsOptions;
  readonly #auth: ReturnType<typeof createAuth>;
  readonly #cookieName: string;
  /** Begins the name of every cookie of this installation. */
  readonly cookiePrefix: string;
  readonly #book: SessionBook;

  constructor(options: SessionsOptions) {
    this.#options = options;
    // Browsers share cookies between the ports of one host, so two installations on one machine
    // need two names.
    this.cookiePrefix = `toolthread_${hashOf(`name:${options.secret}`).slice(0, 8)}`;
    this.#cookieName = `${this.cookiePrefix}.session_token`;
    const { secret } = options;
    this.#auth = createAuth({
      client: options.store.client,
      secret,
      cookiePrefix: this.cookiePrefix,
      onError: (message) => options.log.error(`Sign-in: ${message}`),
    });
    const { store, clock, openCalls, log } = options;
    this.#book = new SessionBook({
      store,
      clock,
      openCalls,
      lookUp: (cookie) => this.#lookUp(cookie),
      onError: (error) => log.warn("The use of a session was not noted", { error: String(error) }),
    });
  }

  /** Whether a request brings a session's cookie, whatever it is worth. */
  hasCookie(headers: Headers): boolean {
    return cookieNamed(this.#cookieName, headers.get("cookie")) !== null;
  }

  /** Who has this session; null without a cookie. @throws Unauthorized when it does not count. */
  async authenticate(headers: Headers, { address }: CallOrigin): Promise<Caller | null> {
    const cookie = cookieNamed(this.#cookieName, headers.get("cookie"));
    if (cookie === null) return null;
    const identifiedAt = this.#options.openCalls.moment;
    const session = await this.#book.find(cookie);
    const person = session && this.#options.people.find(session.userId);
    if (!session || !person || person.disabledAt !== null) throw sessionEnded();
    this.#book.noteUse(session.sessionId, address);
    const { userId, name, email, role, groups } = person;
    return {
      actor: { kind: "operator", id: userId, name, surface: "dashboard", address },
      access: new Access({ kind: "person", role, groups }, this.#options.rules.current),
      role,
      groups,
      email,
      handles: [`user:${userId}`, `session:${session.sessionId}`],
      identifiedAt,
      expiresAt: session.expiresAt,
    };
  }

  /** Extends the session when it is time to. @returns the cookies to set. */
  async touch(headers: Headers): Promise<string[]> {
    const found = await this.#auth.api.getSession({
      headers: this.#headers(headers, null),
      returnHeaders: true,
    });
    return found.headers.getSetCookie();
  }

  /**
   * @returns the cookies to set: of a new session, whatever the browser had before.
   * @throws Unauthorized for a wrong address or password, TooManyAttempts
   */
  async signIn(
    given: { email: string; password: string },
    headers: Headers,
    { address }: CallOrigin,
  ): Promise<string[]> {
    const { limits, people } = this.#options;
    const account = given.email.trim().toLowerCase();
    const bucket = addressBucket(address);
    const from = { actor: null, surface: "dashboard", address } as const;
    limits.address.check(bucket, from);
    limits.account.check(account, from);
    const undo = [limits.address.count(bucket), limits.account.count(account)];
    const person = people.list().find(({ email }) => email === account);
    try {
      if (given.password.length > maxPasswordLength) throw wrongPassword();
      const signedIn = await this.#auth.api
        .signInEmail({
          body: { email: account, password: given.password },
          headers: this.#headers(headers, address),
          returnHeaders: true,
        })
        .catch(toUnauthorized);
      // After the password, so that the answer does not tell that the account exists.
      if (!person || person.disabledAt !== null) throw wrongPassword();
      for (const take of undo) take();
      this.#noteSignIn(person, "password", address);
      return signedIn.headers.getSetCookie();
    } catch (error) {
      if (!(error instanceof Unauthorized)) for (const take of undo) take();
      else this.noteFailure({ email: account, method: "password" }, address);
      throw error;
    }
  }

  /**
   * Signs a person in who has proved who they are in another way than by a password.
   *
   * @returns the cookies to set: of a new session, whatever the browser had before.
   * @throws Unauthorized for who was shut out.
   */
  async open(
    person: PersonRecord,
    method: "single sign-on" | "passkey",
    headers: Headers,
    { address }: CallOrigin,
  ): Promise<string[]> {
    if (person.disabledAt !== null) throw new Unauthorized("You may not sign in here any more.");
    const opened = await this.#auth.api.openSession({
      body: { userId: person.userId },
      headers: this.#headers(headers, address),
      returnHeaders: true,
    });
    this.#noteSignIn(person, method, address);
    return opened.headers.getSetCookie();
  }

  /** Notes that somebody tried to sign in and could not. */
  noteFailure(details: { email?: string; method: string; why?: string }, address: string | null) {
    const from = { actor: null, surface: "dashboard", address } as const;
    this.#options.note({ kind: "sign_in_failed", ...from, details });
  }

  #noteSignIn({ userId, name, email }: PersonRecord, method: string, address: string | null): void {
    const actor = { kind: "operator", id: userId, name, surface: "dashboard", address } as const;
    this.#options.note({ kind: "signed_in", actor, address, details: { email, method } });
  }

  /** Ends this session, with the polls and streams it has open. @returns the cookies to set. */
  async signOut(headers: Headers, caller: Caller): Promise<string[]> {
    const { headers: answered } = await this.#auth.api.signOut({
      headers: this.#headers(headers, null),
      returnHeaders: true,
    });
    this.#book.drop(sessionOf(caller));
    const address = caller.actor.address ?? null;
    this.#options.note({ kind: "signed_out", actor: caller.actor, address, details: {} });
    return answered.getSetCookie();
  }

  /**
   * Changes the password and ends all other sessions of the person.
   *
   * @returns the cookies to set.
   * @throws InvalidInput when the present password is wrong, TooManyAttempts
   */
  async changePassword(
    given: { currentPassword: string; newPassword: string },
    headers: Headers,
    caller: Caller,
  ): Promise<string[]> {
    const { limits, note } = this.#options;
    const account = caller.email ?? caller.actor.id;
    const { actor } = caller;
    const address = actor.address ?? null;
    const from = { actor, surface: actor.surface, address };
    limits.account.check(account, from);
    const notFailed = limits.account.count(account);
    const changed = await this.#auth.api
      .changePassword({
        body: { ...given, revokeOtherSessions: true },
        headers: this.#headers(headers, address),
        returnHeaders: true,
      })
      .catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        const details = { email: account, method: "password", why: "to change the password" };
        note({ kind: "sign_in_failed", ...from, details });
        throw new InvalidInput("This is not your present password.", {
          issues: [{ path: "currentPassword", message: "is not your present password" }],
        });
      });
    notFailed();
    this.forget(actor.id);
    note({ kind: "password_changed", actor, address, details: {} });
    return changed.headers.getSetCookie();
  }

  /** Looks a person's sessions up again, and ends what they have open: their rights changed. */
  forget(userId: string): void {
    this.#book.forgetPerson(userId);
  }

  /** The sessions of a caller, the last seen first, and which of them is this one. */
  async list(caller: Caller): Promise<(SessionRecord & { isThis: boolean })[]> {
    const found = await this.#book.list(caller.actor.id);
    const own = sessionOf(caller);
    return found.map((session) => ({ ...session, isThis: session.sessionId === own }));
  }

  /**
   * A new way to sign in outlasts the session that adds it, so a session that was left open somewhere is
   * not enough for it.
   *
   * @throws Forbidden when the session is older than an hour.
   */
  async requireFresh(caller: Caller): Promise<void> {
    const own = (await this.list(caller)).find(({ isThis }) => isThis);
    const now = this.#options.clock.now();
    if (own && now - parseTimestamp(own.createdAt) < freshSeconds * microsPerSecond) return;
    throw new Forbidden(
      "You signed in more than an hour ago. Sign out and in again, then add it: so nobody else can who " +
        "finds your browser open.",
    );
  }

  /**
   * Ends one other session of a caller, or all others. What has ended before is no mistake.
   *
   * @returns how many ended.
   */
  async endOwn(caller: Caller, which: { only: string } | "others"): Promise<number> {
    const own = sessionOf(caller);
    if (which !== "others" && which.only === own) {
      throw new InvalidInput("This is the session you are using: sign out to end it.");
    }
    const person = this.#options.people.find(caller.actor.id);
    return this.#end(person, which === "others" ? { except: own } : which, caller);
  }

  /** Ends all sessions of a person. @returns how many. @throws TaskNotFound */
  async endAllOf(userId: string, by: Caller): Promise<number> {
    const person = this.#options.people.find(userId);
    if (!person) throw new TaskNotFound(`There is nobody with the id ${userId}.`);
    return this.#end(person, {}, by);
  }

  async #end(
    person: PersonRecord | null,
    which: { only?: string; except?: string },
    by: Caller,
  ): Promise<number> {
    if (!person) return 0;
    const { userId, email } = person;
    const ended = await this.#book.end(userId, which);
    if (ended.length === 0) return 0;
    this.#options.note({
      kind: "sessions_ended",
      actor: by.actor,
      address: by.actor.address ?? null,
      details: { userId, email, sessions: ended.length, sessionIds: ended },
    });
    return ended.length;
  }

  async #lookUp(cookie: string): Promise<FoundSession | null> {
    const found = await this.#auth.api.getSession({
      headers: new Headers({ cookie: `${this.#cookieName}=${cookie}` }),
      query: { disableRefresh: true },
    });
    if (!found) return null;
    const { id: sessionId, expiresAt } = found.session;
    return { userId: found.user.id, sessionId, expiresAt: expiresAt.getTime() };
  }

  /** What better-auth is to see of a request: its cookies, its browser, and its true address. */
  #headers(headers: Headers, address: string | null): Headers {
    const passed = new Headers();
    for (const name of ["cookie", "user-agent"]) {
      const value = headers.get(name);
      if (value !== null) passed.set(name, value);
    }
    if (address !== null) passed.set(addressHeader, address);
    return passed;
  }
}

function sessionOf({ handles }: Caller): string {
  const handle = handles.find((name) => name.startsWith("session:"));
  return handle?.slice("session:".length) ?? "";
}

function wrongPassword(): Unauthorized {
  return new Unauthorized("The e-mail address or the password is wrong.");
}

function toUnauthorized(error: unknown): never {
  throw isRefusal(error) ? wrongPassword() : error;
}

/** Whether better-auth said no, as opposed to a fault. */
function isRefusal(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown };
  return typeof statusCode === "number" && statusCode >= 400 && statusCode < 500;
}
