import type { Actor } from "../core/actor.ts";
import { describeThrown } from "../core/errors.ts";
import type { SignOnSettings } from "../core/sign-on.ts";
import type { EngineLog } from "../engine/engine-log.ts";
import type { PersonRecord } from "../stores/identity-store.ts";
import type { Caller, CallOrigin } from "./caller.ts";
import { type OidcAttempt, type OidcIdentity, OidcProvider } from "./oidc-provider.ts";
import type { OperatorSessions } from "./operator-sessions.ts";
import type { People } from "./people.ts";
import { SignOnRefused } from "./sign-on-refused.ts";
import { SignedStates } from "./signed-states.ts";

/** Seconds that somebody has for signing in at the provider. */
const attemptSeconds = 900;

const groupShape = /^[a-z0-9][a-z0-9 ._-]{0,39}$/i;
const maxGroups = 50;

interface Pending extends OidcAttempt {
  /** Where to go afterwards, a path. */
  next: string;
  /** Who connects it with their account; null for signing in. */
  connects: string | null;
}

export interface SignOnOptions {
  settings: SignOnSettings;
  secret: string;
  people: People;
  sessions: OperatorSessions;
  changeGroups(userId: string, groups: string[], by: Pick<Caller, "actor">): Promise<unknown>;
  log: EngineLog;
}

/** Signing in at an OpenID Connect provider. Who is let in, and as what, is decided here. */
export class SingleSignOn {
  readonly name: string;
  readonly #options: SignOnOptions;
  readonly #provider: OidcProvider;
  readonly #states: SignedStates<Pending>;

  constructor(options: SignOnOptions) {
    this.name = options.settings.name;
    this.#options = options;
    this.#provider = new OidcProvider(options.settings);
    this.#states = new SignedStates(options.secret, "single sign-on", attemptSeconds);
  }

  /** Under which accounts of this provider are kept. */
  get providerId(): string {
    return `oidc:${this.#provider.issuer}`;
  }

  get attemptSeconds(): number {
    return attemptSeconds;
  }

  /**
   * @returns where to send the browser, and what it is to keep until it comes back: under a name of its
   *   own, so that two attempts at once do not disturb each other.
   * @throws SignOnRefused while the provider cannot be reached.
   */
  async begin(
    redirectUri: string,
    next: string,
    connects: string | null,
  ): Promise<{ url: string; key: string; kept: string }> {
    try {
      const { url, attempt } = await this.#provider.begin(redirectUri);
      const kept = this.#states.sign({ ...attempt, next, connects });
      return { url, key: keyOf(attempt.state), kept };
    } catch (error) {
      this.#options.log.error("Single sign-on: the provider cannot be used", {
        issuer: this.#provider.issuer,
        error: describeThrown(error),
      });
      throw new SignOnRefused("unavailable", "/");
    }
  }

  /** What {@link begin} called what the browser keeps, from the answer it comes back with. */
  keyOfAnswer(query: URLSearchParams): string {
    return keyOf(query.get("state") ?? "");
  }

  /**
   * Signs in who comes back from the provider, or connects their account.
   *
   * @param kept what the browser kept; null when it has nothing.
   * @param caller whose session the browser has; null when it has none.
   * @returns where to go, the cookies to set, and whether the browser came over TLS.
   * @throws SignOnRefused
   */
  async finish(
    kept: string | null,
    query: string,
    { headers, origin, caller }: { headers: Headers; origin: CallOrigin; caller: Caller | null },
  ): Promise<{ next: string; cookies: string[]; isTls: boolean }> {
    const pending = kept === null ? null : this.#states.take(kept);
    if (!pending) throw new SignOnRefused("expired", "/");
    const { next, connects, redirectUri } = pending;
    const isTls = redirectUri.startsWith("https:");
    let email: string | undefined;
    try {
      const identity = await this.#redeem(pending, query);
      email = identity.email ?? undefined;
      if (connects !== null) {
        await this.#connect(identity, connects, caller);
        return { next, cookies: [], isTls };
      }
      const person = await this.#admit(identity, origin.address);
      const cookies = await this.#options.sessions.open(person, "single sign-on", headers, origin);
      return { next, cookies, isTls };
    } catch (error) {
      if (!(error instanceof SignOnRefused)) throw error;
      const details = { email, method: "single sign-on", why: error.reason };
      this.#options.sessions.noteFailure(details, origin.address);
      throw new SignOnRefused(error.reason, next);
    }
  }

  async #redeem(pending: Pending, query: string): Promise<OidcIdentity> {
    if (new URLSearchParams(query).get("error") === "access_denied") {
      throw new SignOnRefused("cancelled");
    }
    try {
      return await this.#provider.redeem(pending, query);
    } catch (error) {
      this.#options.log.warn("Single sign-on: what the provider answered does not count", {
        issuer: this.#provider.issuer,
        error: describeThrown(error),
      });
      throw new SignOnRefused("failed");
    }
  }

  async #admit(identity: OidcIdentity, address: string | null): Promise<PersonRecord> {
    const { people, settings } = this.#options;
    const account = { providerId: this.providerId, accountId: identity.subject };
    const known = await people.findByAccount(account);
    const person = known ?? (await this.#enterOnce(identity, account, address));
    if (person.disabledAt !== null) throw new SignOnRefused("shut_out");
    const groups = settings.groupsClaim === null ? null : groupsOf(identity);
    if (groups === null || groups.join() === person.groups.join()) return person;
    const by: Actor = {
      kind: "system",
      id: this.providerId,
      name: settings.name,
      surface: "system",
      address,
    };
    await this.#options.changeGroups(person.userId, groups, { actor: by });
    return people.find(person.userId) ?? person;
  }

  /**
   * Somebody new who comes in by two windows at once is one person: whichever is later finds the invite
   * used and the address taken, by themselves.
   */
  async #enterOnce(
    identity: OidcIdentity,
    account: { providerId: string; accountId: string },
    address: string | null,
  ): Promise<PersonRecord> {
    try {
      return await this.#enter(identity, account, address);
    } catch (refusal) {
      const meanwhile = await this.#options.people.findByAccount(account);
      if (meanwhile) return meanwhile;
      throw refusal;
    }
  }

  /** Makes an account for somebody new, if there is to be one. */
  async #enter(
    identity: OidcIdentity,
    account: { providerId: string; accountId: string },
    address: string | null,
  ): Promise<PersonRecord> {
    const { people, settings } = this.#options;
    const email = identity.email?.trim().toLowerCase() ?? "";
    // From here on everything hangs on the address, so it has to be theirs.
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new SignOnRefused("email_missing");
    if (!identity.isEmailVerified) throw new SignOnRefused("email_not_verified");
    // Whoever the provider says has this address is not let into an account with a password of its
    // own: its owner connects the two, signed in.
    if (people.findByEmail(email)) throw new SignOnRefused("has_account");
    const invite = await people.findInviteFor(email);
    const role = invite?.role ?? settings.role;
    if (role === null) throw new SignOnRefused("not_invited");
    // Somebody who is no admin must not be the first: the set-up link ends with the first person.
    if (!people.hasAdmin && role !== "admin") throw new SignOnRefused("not_set_up");
    const name = identity.name?.trim().slice(0, 100) || (email.split("@")[0] as string);
    const groups = invite?.groups ?? [];
    const entrant = { name, email, role, groups, account };
    const entered = await people.enterByAccount(entrant, invite?.linkId ?? null, address);
    // Somebody was faster.
    if (!entered) throw new SignOnRefused("has_account");
    return entered;
  }

  async #connect({ subject }: OidcIdentity, userId: string, caller: Caller | null): Promise<void> {
    // The browser may have signed out or changed hands while it was away.
    if (caller?.actor.id !== userId) throw new SignOnRefused("other_person");
    const { people } = this.#options;
    const account = { providerId: this.providerId, accountId: subject };
    const owner = await people.findByAccount(account);
    if (owner?.userId === userId) return;
    if (owner || !(await people.connectAccount(userId, account, this.name, caller))) {
      throw new SignOnRefused("connected_elsewhere");
    }
  }
}

function keyOf(state: string): string {
  return state.replace(/[^\w-]/g, "").slice(0, 12);
}

/** The groups a provider names that can be groups here. */
function groupsOf({ groups }: OidcIdentity): string[] | null {
  if (groups === null) return null;
  const usable = groups.map((group) => group.trim()).filter((group) => groupShape.test(group));
  return [...new Set(usable)].sort().slice(0, maxGroups);
}
