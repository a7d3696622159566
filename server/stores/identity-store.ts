import type { KeyScopes, Role, TypeAccess } from "../core/permission.ts";
import type { Timestamp } from "../core/timestamp.ts";
import type { PasskeyStore } from "./passkey-store.ts";

/** Somebody who signs in. */
export interface PersonRecord {
  userId: string;
  name: string;
  email: string;
  role: Role;
  groups: string[];
  createdAt: Timestamp;
  /** Since when they may not sign in; null when they may. */
  disabledAt: Timestamp | null;
}

/** A browser in which somebody is signed in, without what proves it. */
export interface SessionRecord {
  sessionId: string;
  userId: string;
  /** What the browser says it is. */
  userAgent: string | null;
  /** The remote address it was last seen with; null when it is not known. */
  address: string | null;
  createdAt: Timestamp;
  /** To the minute. */
  lastSeenAt: Timestamp;
  expiresAt: Timestamp;
}

/** An agent's key, without the key. */
export interface KeyRecord {
  keyId: string;
  name: string;
  /** The public beginning of the key. */
  prefix: string;
  /** SHA-256 of the whole key, in hex. */
  keyHash: string;
  ownerId: string | null;
  scopes: KeyScopes;
  createdAt: Timestamp;
  expiresAt: Timestamp | null;
  lastUsedAt: Timestamp | null;
  revokedAt: Timestamp | null;
}

/** A link that makes one account, without its token. */
export interface EntryLinkRecord {
  linkId: string;
  kind: "set_up" | "invite";
  /** SHA-256 of the token, in hex. */
  tokenHash: string;
  email: string | null;
  role: Role;
  groups: string[];
  createdById: string | null;
  createdAt: Timestamp;
  expiresAt: Timestamp | null;
  usedAt: Timestamp | null;
}

/** Somebody's account at a provider. */
export interface AccountKey {
  providerId: string;
  accountId: string;
}

export interface NewPerson {
  userId: string;
  name: string;
  email: string;
  /** How they sign in. */
  signIn: { passwordHash: string } | AccountKey;
  role: Role;
  groups: string[];
}

/** Where identities are kept. @throws StoreUnavailable from every method. */
export interface IdentityStore {
  /** A Prisma client for better-auth's adapter; nothing else is to use it. */
  readonly client: object;
  readonly passkeys: PasskeyStore;

  listPeople(): Promise<PersonRecord[]>;
  /** @returns false when the e-mail address is taken. */
  addPerson(person: NewPerson): Promise<boolean>;
  /**
   * Makes the person a link promises, and uses the link up, in one transaction.
   *
   * @param link.isForFirst only while there is nobody else.
   * @returns false when the link was used meanwhile, or the address is taken, or somebody is there
   *   already: nothing is changed.
   */
  enter(
    link: { linkId: string; usedAt: Timestamp; isForFirst: boolean },
    person: NewPerson,
  ): Promise<boolean>;
  changePerson(
    userId: string,
    change: Partial<Pick<PersonRecord, "role" | "groups" | "disabledAt">>,
  ): Promise<void>;

  /** @returns null when it is nobody's. */
  findAccountOwner(account: AccountKey): Promise<string | null>;
  /** @returns false when it is somebody's already. */
  addAccount(userId: string, account: AccountKey): Promise<boolean>;
  /** The providers with which a person signs in; `credential` is a password. */
  listAccounts(userId: string): Promise<string[]>;
  removeAccount(userId: string, providerId: string): Promise<void>;

  /** Those of a person that have not expired, the last seen first. */
  listSessions(userId: string, now: Timestamp): Promise<SessionRecord[]>;
  /** Does nothing when the session has ended meanwhile. */
  noteSession(sessionId: string, use: { lastSeenAt: Timestamp; address?: string }): Promise<void>;
  /**
   * Ends sessions of a person: all, one (`only`), or all but one (`except`).
   *
   * @returns the ids of those that ended.
   */
  endSessions(userId: string, which?: { only?: string; except?: string }): Promise<string[]>;

  listKeys(): Promise<KeyRecord[]>;
  addKey(key: KeyRecord): Promise<void>;
  changeKey(
    keyId: string,
    change: Partial<Pick<KeyRecord, "lastUsedAt" | "revokedAt">>,
  ): Promise<void>;

  /** The links nobody has used yet, newest first. */
  listOpenLinks(): Promise<EntryLinkRecord[]>;
  findLink(tokenHash: string): Promise<EntryLinkRecord | null>;
  addLink(link: EntryLinkRecord): Promise<void>;
  /** @returns false when it was used, or never there. */
  removeLink(linkId: string): Promise<boolean>;

  listTypeRules(): Promise<Map<string, TypeAccess>>;
  /** Null removes the rule. */
  setTypeRule(type: string, access: TypeAccess | null): Promise<void>;
}
