import { randomUUID } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import { Conflict, InvalidInput, TaskNotFound, Unauthorized } from "../core/errors.ts";
import type { Role } from "../core/permission.ts";
import { addSeconds, toTimestamp } from "../core/timestamp.ts";
import type {
  AccountKey,
  EntryLinkRecord,
  IdentityStore,
  PersonRecord,
} from "../stores/identity-store.ts";
import type { Caller, NoteIdentityEvent } from "./caller.ts";
import { hashOf, randomToken } from "./secret-token.ts";

const inviteSeconds = 7 * 24 * 60 * 60;

/** Characters a password has at least. */
export const minPasswordLength = 10;
export const maxPasswordLength = 128;

/** What an invited person, or the first admin, says about themselves. */
export interface Entrant {
  name: string;
  email: string;
  password: string;
}

/** An invite, as admins see it: without what would let one in. */
export type InviteView = Omit<EntryLinkRecord, "tokenHash">;

export interface PeopleOptions {
  store: IdentityStore;
  clock: Clock;
  hashPassword(password: string): Promise<string>;
  note: NoteIdentityEvent;
}

/**
 * The people who may sign in, their roles and groups, and the links by which new ones come in. All
 * people are in memory; every change is made here, because one process has the database.
 */
export class People {
  readonly #options: PeopleOptions;
  #byId = new Map<string, PersonRecord>();

  private constructor(options: PeopleOptions) {
    this.#options = options;
  }

  static async open(options: PeopleOptions): Promise<People> {
    const people = new People(options);
    await people.#reload();
    return people;
  }

  find(userId: string): PersonRecord | null {
    return this.#byId.get(userId) ?? null;
  }

  findByEmail(email: string): PersonRecord | null {
    const address = normalEmail(email);
    return this.list().find((person) => person.email === address) ?? null;
  }

  list(): PersonRecord[] {
    return [...this.#byId.values()];
  }

  get hasAdmin(): boolean {
    return this.#admins().length > 0;
  }

  /** Makes an admin from the settings of the server; does nothing when the address is known. */
  async ensureAdmin({ email, password }: Omit<Entrant, "name">): Promise<void> {
    const address = normalEmail(email);
    if (this.findByEmail(address)) return;
    const name = address.split("@")[0] as string;
    const person = await this.#newPerson({ name, email, password });
    await this.#options.store.addPerson({ ...person, role: "admin", groups: [] });
    await this.#reload();
    this.#options.note({
      kind: "admin_ensured",
      actor: null,
      address: null,
      details: { userId: person.userId, email: person.email, role: "admin" },
    });
  }

  /**
   * Makes a link for the first admin, valid until somebody is in; null when somebody is.
   *
   * @returns its token, which is stored nowhere.
   */
  async makeSetUpToken(): Promise<string | null> {
    if (this.#byId.size > 0) return null;
    return (await this.#addLink({ kind: "set_up", role: "admin", groups: [], email: null }, null))
      .token;
  }

  /** What a link is for; null when it is used, expired or none of ours. */
  async findLink(token: string): Promise<EntryLinkRecord | null> {
    const link = await this.#options.store.findLink(hashOf(token));
    if (!link || link.usedAt !== null) return null;
    if (link.expiresAt !== null && link.expiresAt <= this.#now()) return null;
    // Set-up links end with the first person, also those that were printed by earlier starts.
    return link.kind === "set_up" && this.#byId.size > 0 ? null : link;
  }

  /**
   * Makes the account a link promises.
   *
   * @throws Unauthorized when the link does not count; @throws Conflict when the address is taken.
   */
  async enter(
    kind: EntryLinkRecord["kind"],
    token: string,
    entrant: Entrant,
    address: string | null,
  ): Promise<PersonRecord> {
    const link = await this.findLink(token);
    if (link?.kind !== kind) throw noSuchLink();
    const { role, groups, linkId } = link;
    const person = { ...(await this.#newPerson(entrant)), role, groups };
    if (this.findByEmail(person.email)) throw taken();
    const isForFirst = kind === "set_up";
    const used = { linkId, usedAt: this.#now(), isForFirst };
    const entered = await this.#options.store.enter(used, person);
    await this.#reload();
    const made = this.find(person.userId);
    if (!entered || !made) {
      throw (await this.findLink(token)) ? taken() : noSuchLink();
    }
    const { userId, name, email } = made;
    const actor = { kind: "operator", id: userId, name, surface: "dashboard", address } as const;
    this.#options.note({
      kind: kind === "set_up" ? "set_up" : "invite_accepted",
      actor,
      address,
      details: { userId, email, role, groups },
    });
    return made;
  }

  /** Who signs in with this account of a provider. */
  async findByAccount(account: AccountKey): Promise<PersonRecord | null> {
    const userId = await this.#options.store.findAccountOwner(account);
    return userId === null ? null : this.find(userId);
  }

  /** The open invite that an admin made for this address; the newest if there are several. */
  async findInviteFor(email: string): Promise<EntryLinkRecord | null> {
    const now = this.#now();
    const links = await this.#options.store.listOpenLinks();
    const isMeant = (link: EntryLinkRecord) =>
      link.kind === "invite" &&
      link.email !== null &&
      normalEmail(link.email) === email &&
      (link.expiresAt === null || link.expiresAt > now);
    return links.find(isMeant) ?? null;
  }

  /**
   * Makes a person who signs in with an account of a provider.
   *
   * @param linkId the invite that is used up by it; null without one.
   * @returns null when the address or the account is taken, or the invite was used meanwhile.
   */
  async enterByAccount(
    entrant: Pick<PersonRecord, "name" | "email" | "role" | "groups"> & { account: AccountKey },
    linkId: string | null,
    address: string | null,
  ): Promise<PersonRecord | null> {
    const { store, note } = this.#options;
    const { account: signIn, ...person } = entrant;
    const made = { ...person, userId: `user_${randomUUID()}`, signIn };
    const entered = await (linkId === null
      ? store.addPerson(made)
      : store.enter({ linkId, usedAt: this.#now(), isForFirst: false }, made));
    await this.#reload();
    if (!entered) return null;
    const { userId, name, email, role, groups } = made;
    note({
      kind: linkId === null ? "person_entered" : "invite_accepted",
      actor: { kind: "operator", id: userId, name, surface: "dashboard", address },
      address,
      details: { userId, email, role, groups, provider: signIn.providerId },
    });
    return this.find(userId);
  }

  /** @returns false when the account is somebody else's. */
  async connectAccount(
    userId: string,
    account: AccountKey,
    provider: string,
    by: Caller,
  ): Promise<boolean> {
    if (!(await this.#options.store.addAccount(userId, account))) return false;
    this.#note("sign_on_connected", by, { userId, provider, providerId: account.providerId });
    return true;
  }

  /** @throws Conflict when the person could not sign in any more. */
  async disconnectAccount(userId: string, providerId: string, by: Caller): Promise<void> {
    const ways = await this.#options.store.listAccounts(userId);
    if (!ways.includes(providerId)) return;
    if (ways.length === 1) {
      throw new Conflict(
        "It is your only way to sign in beside passkeys, which can be lost with their device.",
      );
    }
    await this.#options.store.removeAccount(userId, providerId);
    this.#note("sign_on_disconnected", by, { userId, providerId });
  }

  /** The providers a person signs in with; `credential` is a password. */
  waysIn(userId: string): Promise<string[]> {
    return this.#options.store.listAccounts(userId);
  }

  async listInvites(): Promise<InviteView[]> {
    const links = await this.#options.store.listOpenLinks();
    return links
      .filter(({ kind }) => kind === "invite")
      .map(({ tokenHash: _, ...invite }) => invite);
  }

  /** @returns the invite, and the token of its link, which is shown this once. */
  async invite(
    wanted: { email: string | null; role: Role; groups: string[] },
    by: Caller,
  ): Promise<{ token: string; invite: InviteView }> {
    const { token, link } = await this.#addLink({ kind: "invite", ...wanted }, by.actor.id);
    const { tokenHash: _, ...invite } = link;
    this.#note("invite_made", by, { linkId: link.linkId, ...wanted });
    return { token, invite };
  }

  /** @throws TaskNotFound when there is no such invite, or somebody used it. */
  async withdrawInvite(linkId: string, by: Caller): Promise<void> {
    if (!(await this.#options.store.removeLink(linkId))) {
      throw new TaskNotFound(`There is no open invite ${linkId}.`);
    }
    this.#note("invite_withdrawn", by, { linkId });
  }

  /**
   * Changes what a person may do.
   *
   * @throws Conflict when no admin would be left; @throws TaskNotFound
   */
  async change(
    userId: string,
    change: { role?: Role; groups?: string[]; isDisabled?: boolean },
    by: Pick<Caller, "actor">,
  ): Promise<PersonRecord> {
    const person = this.find(userId);
    if (!person) throw new TaskNotFound(`There is nobody with the id ${userId}.`);
    const { role = person.role, groups = person.groups, isDisabled } = change;
    const disabledAt =
      isDisabled === undefined
        ? person.disabledAt
        : isDisabled
          ? (person.disabledAt ?? this.#now())
          : null;
    const isLastAdmin = this.#admins().every((admin) => admin.userId === userId);
    if (isLastAdmin && this.#admins().length > 0 && (role !== "admin" || disabledAt !== null)) {
      throw new Conflict("This is the only admin. Make somebody else an admin first.");
    }
    const next = { ...person, role, groups, disabledAt };
    // In memory first: from here on the new rights count, whatever the database takes.
    this.#byId.set(userId, next);
    try {
      await this.#options.store.changePerson(userId, { role, groups, disabledAt });
      if (disabledAt !== null) await this.#options.store.endSessions(userId);
    } catch (error) {
      this.#byId.set(userId, person);
      throw error;
    }
    this.#note("person_changed", by, {
      userId,
      email: person.email,
      before: { role: person.role, groups: person.groups, isDisabled: person.disabledAt !== null },
      after: { role, groups, isDisabled: disabledAt !== null },
    });
    return next;
  }

  /** All groups there are: they exist by having members. */
  groups(): string[] {
    return [...new Set(this.list().flatMap(({ groups }) => groups))].sort();
  }

  #admins(): PersonRecord[] {
    return this.list().filter(({ role, disabledAt }) => role === "admin" && disabledAt === null);
  }

  async #newPerson({ name, email, password }: Entrant) {
    if (password.length < minPasswordLength || password.length > maxPasswordLength) {
      throw new InvalidInput(
        `A password has ${minPasswordLength} to ${maxPasswordLength} characters.`,
        {
          issues: [{ path: "password", message: `needs ${minPasswordLength} characters or more` }],
        },
      );
    }
    const passwordHash = await this.#options.hashPassword(password);
    const signIn = { passwordHash };
    return { userId: `user_${randomUUID()}`, name, email: normalEmail(email), signIn };
  }

  async #addLink(
    wanted: Pick<EntryLinkRecord, "kind" | "role" | "groups" | "email">,
    createdById: string | null,
  ): Promise<{ token: string; link: EntryLinkRecord }> {
    const token = randomToken();
    const createdAt = this.#now();
    const link: EntryLinkRecord = {
      ...wanted,
      linkId: `link_${randomUUID()}`,
      tokenHash: hashOf(token),
      createdById,
      createdAt,
      expiresAt: wanted.kind === "invite" ? addSeconds(createdAt, inviteSeconds) : null,
      usedAt: null,
    };
    await this.#options.store.addLink(link);
    return { token, link };
  }

  #note(
    kind:
      | "invite_made"
      | "invite_withdrawn"
      | "person_changed"
      | "sign_on_connected"
      | "sign_on_disconnected",
    by: Pick<Caller, "actor">,
    details: Record<string, unknown>,
  ): void {
    this.#options.note({ kind, actor: by.actor, address: by.actor.address ?? null, details });
  }

  async #reload(): Promise<void> {
    const people = await this.#options.store.listPeople();
    this.#byId = new Map(people.map((person) => [person.userId, person]));
  }

  #now() {
    return toTimestamp(this.#options.clock.now());
  }
}

function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

function noSuchLink(): Unauthorized {
  return new Unauthorized("This link was used, has expired, or was never one of this server.");
}

function taken(): Conflict {
  return new Conflict("Somebody with this e-mail address can sign in already.", {
    issues: [{ path: "email", message: "is in use" }],
  });
}
