import { Access, type Grantee } from "../core/access.ts";
import type { Surface } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { InvalidInput, TaskNotFound, Unauthorized } from "../core/errors.ts";
import { allScopes, type KeyScopes } from "../core/permission.ts";
import { parseTimestamp, type Timestamp, toTimestamp } from "../core/timestamp.ts";
import type { IdentityStore, KeyRecord } from "../stores/identity-store.ts";
import { type AttemptLimiter, addressBucket } from "./attempt-limiter.ts";
import { type Caller, type CallOrigin, type NoteIdentityEvent, programCaller } from "./caller.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { People } from "./people.ts";
import { hashOf, isSameHash, randomToken } from "./secret-token.ts";
import type { TypeRuleBook } from "./type-rule-book.ts";

/** Microseconds between two notes of one key's use, or of its refusal. */
const noteMicros = 60_000_000;

const maxRemembered = 10_000;

const keyShape = /^tt_([0-9a-z]{10})_[\w-]{43}$/;

/** The key that the settings of the server name. */
const settingsKeyId = "api-key";

// Compared with when no key has the prefix, so that a miss takes as long as a wrong secret.
const nobodysHash = hashOf(randomToken());

/** What may be known of a key. */
export interface KeyView extends Omit<KeyRecord, "keyHash"> {
  state: "active" | "expired" | "revoked";
  ownerName: string | null;
}

export interface KeysOptions {
  store: IdentityStore;
  clock: Clock;
  people: People;
  rules: TypeRuleBook;
  openCalls: OpenCalls;
  limiter: AttemptLimiter;
  note: NoteIdentityEvent;
  /** `TOOLTHREAD_API_KEY`. */
  settingsKey: string | null;
  onError(error: unknown): void;
}

const neverNoted = { writtenAt: 0, refusalNotedAt: 0 };

interface KnownKey {
  record: KeyRecord;
  /** When `lastUsedAt` was last written, in microseconds. */
  writtenAt: number;
  /** When it was last noted that the key is sent after its end, in microseconds. */
  refusalNotedAt: number;
}

/**
 * The keys of agents. All are in memory, by their prefix: a check reads no database, and a change
 * counts from the moment it is made, because one process has the database.
 */
export class AgentKeys {
  readonly #options: KeysOptions;
  readonly #byPrefix = new Map<string, KnownKey>();
  readonly #settingsHash: string | null;
  /** The wrong key that was last sent from each address, and when that was noted. */
  readonly #lastWrong = new Map<string, { hash: string; notedAt: number }>();

  private constructor(options: KeysOptions, records: readonly KeyRecord[]) {
    this.#options = options;
    for (const record of records) this.#byPrefix.set(record.prefix, { record, ...neverNoted });
    this.#settingsHash = options.settingsKey === null ? null : hashOf(options.settingsKey);
  }

  static async open(options: KeysOptions): Promise<AgentKeys> {
    return new AgentKeys(options, await options.store.listKeys());
  }

  /**
   * Says whose key this is.
   *
   * @throws Unauthorized when it is none of ours, revoked, or expired.
   * @throws TooManyAttempts when too many wrong ones came from this address.
   */
  authenticate(key: string, surface: Surface, { address }: CallOrigin): Caller {
    const { limiter } = this.#options;
    const bucket = addressBucket(address);
    limiter.check(bucket, { actor: null, surface, address });
    const hash = hashOf(key);
    const isSettingsKey = isSameHash(hash, this.#settingsHash ?? nobodysHash);
    const known = this.#byPrefix.get(keyShape.exec(key)?.[1] ?? "");
    const isRight = isSameHash(hash, known?.record.keyHash ?? nobodysHash);
    if (isSettingsKey) return this.#settingsCaller(surface, address);
    if (!known || !isRight) {
      this.#noteWrong(bucket, hash, surface, address);
      throw new Unauthorized("This is not a key of this server.");
    }
    const { record } = known;
    const { now } = this.#options.clock;
    const isExpired = record.expiresAt !== null && record.expiresAt <= toTimestamp(now());
    if (record.revokedAt !== null || isExpired) {
      this.#noteEnded(known, surface, address);
      throw record.revokedAt === null ? expired() : revoked();
    }
    this.#noteUse(known);
    return this.#callerOf(record, surface, address);
  }

  list(): KeyView[] {
    return [...this.#byPrefix.values()]
      .map(({ record }) => this.#view(record))
      .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  }

  /** Makes a key. What it returns as `key` is shown this once, and stored nowhere. */
  async make(
    wanted: { name: string; scopes: KeyScopes; expiresAt: Timestamp | null },
    by: Caller,
  ): Promise<{ key: string; view: KeyView }> {
    const { store, clock, note } = this.#options;
    const createdAt = toTimestamp(clock.now());
    const expiresAt =
      wanted.expiresAt === null ? null : toTimestamp(parseTimestamp(wanted.expiresAt));
    if (expiresAt !== null && expiresAt <= createdAt) {
      throw new InvalidInput("The key would have expired already: choose a later day.");
    }
    const prefix = randomToken()
      .toLowerCase()
      .replace(/[^0-9a-z]/g, "")
      .slice(0, 10);
    if (prefix.length < 10 || this.#byPrefix.has(prefix)) return this.make(wanted, by);
    const key = `tt_${prefix}_${randomToken()}`;
    const record: KeyRecord = {
      keyId: `key_${prefix}`,
      name: wanted.name,
      prefix,
      keyHash: hashOf(key),
      ownerId: by.actor.kind === "operator" ? by.actor.id : null,
      scopes: wanted.scopes,
      createdAt,
      expiresAt,
      lastUsedAt: null,
      revokedAt: null,
    };
    await store.addKey(record);
    this.#byPrefix.set(prefix, { record, ...neverNoted });
    const { keyId, name, scopes } = record;
    note({
      kind: "key_made",
      actor: by.actor,
      address: by.actor.address ?? null,
      details: { keyId, name, scopes, expiresAt },
    });
    return { key, view: this.#view(record) };
  }

  /** Ends a key, and with it the polls and streams it has open. @throws TaskNotFound */
  async revoke(keyId: string, by: Caller): Promise<void> {
    const known = [...this.#byPrefix.values()].find(({ record }) => record.keyId === keyId);
    if (!known) throw new TaskNotFound(`There is no key ${keyId}.`);
    await this.#revoke(known, by);
  }

  /** Ends all keys of a person. */
  async revokeOf(ownerId: string, by: Pick<Caller, "actor">): Promise<void> {
    for (const known of this.#byPrefix.values()) {
      if (known.record.ownerId === ownerId) await this.#revoke(known, by);
    }
  }

  async #revoke(known: KnownKey, by: Pick<Caller, "actor">): Promise<void> {
    const { store, clock, openCalls, note } = this.#options;
    const { keyId, name, revokedAt: before } = known.record;
    if (before !== null) return;
    const revokedAt = toTimestamp(clock.now());
    // In memory first: from here on no call is let in, whatever the database takes.
    known.record = { ...known.record, revokedAt };
    openCalls.end(`key:${keyId}`, revoked());
    await store.changeKey(keyId, { revokedAt });
    const address = by.actor.address ?? null;
    note({ kind: "key_revoked", actor: by.actor, address, details: { keyId, name } });
  }

  #callerOf(record: KeyRecord, surface: Surface, address: string | null): Caller {
    const { people, rules, openCalls } = this.#options;
    const { keyId, name, ownerId, scopes, expiresAt } = record;
    const owner = ownerId === null ? null : people.find(ownerId);
    if (ownerId !== null && (!owner || owner.disabledAt !== null)) throw revoked();
    const grantee: Grantee = { kind: "key", keyId, scopes, owner };
    return {
      actor: { kind: "agent", id: keyId, name, surface, address, keyOwnerId: ownerId },
      access: new Access(grantee, rules.current),
      role: null,
      groups: [],
      email: null,
      handles: [`key:${keyId}`, ...(ownerId === null ? [] : [`user:${ownerId}`])],
      identifiedAt: openCalls.moment,
      expiresAt: expiresAt === null ? null : parseTimestamp(expiresAt) / 1000,
    };
  }

  #settingsCaller(surface: Surface, address: string | null): Caller {
    const grantee: Grantee = {
      kind: "key",
      keyId: settingsKeyId,
      scopes: allScopes,
      owner: null,
    };
    const name = "agent with the API key";
    return programCaller(
      { kind: "agent", id: settingsKeyId, name, surface, address, keyOwnerId: null },
      new Access(grantee, this.#options.rules.current),
    );
  }

  #noteUse(known: KnownKey): void {
    const { clock, store, onError } = this.#options;
    const now = clock.now();
    const lastUsedAt = toTimestamp(now);
    known.record = { ...known.record, lastUsedAt };
    if (now - known.writtenAt < noteMicros) return;
    known.writtenAt = now;
    store.changeKey(known.record.keyId, { lastUsedAt }).catch(onError);
  }

  /**
   * An agent that repeats one mistaken key guesses nothing, and must not shut its neighbours out. It is
   * noted once a minute: nobody without a key can fill a log that is never cut.
   */
  #noteWrong(bucket: string, hash: string, surface: Surface, address: string | null): void {
    const now = this.#options.clock.now();
    const last = this.#lastWrong.get(bucket);
    const isNew = last?.hash !== hash;
    if (isNew) this.#options.limiter.count(bucket);
    else if (now - last.notedAt < noteMicros) return;
    if (this.#lastWrong.size >= maxRemembered) this.#lastWrong.clear();
    this.#lastWrong.set(bucket, { hash, notedAt: now });
    const details = { why: "unknown" };
    this.#options.note({ kind: "key_refused", actor: null, surface, address, details });
  }

  /** Notes that somebody still sends a key that has ended, at most once a minute. */
  #noteEnded(known: KnownKey, surface: Surface, address: string | null): void {
    const now = this.#options.clock.now();
    if (now - known.refusalNotedAt < noteMicros) return;
    known.refusalNotedAt = now;
    const { keyId, name, revokedAt } = known.record;
    const details = { keyId, name, why: revokedAt === null ? "expired" : "revoked" };
    this.#options.note({ kind: "key_refused", actor: null, surface, address, details });
  }

  #view({ keyHash: _, ...record }: KeyRecord): KeyView {
    const now = toTimestamp(this.#options.clock.now());
    const isExpired = record.expiresAt !== null && record.expiresAt <= now;
    const state = record.revokedAt !== null ? "revoked" : isExpired ? "expired" : "active";
    const owner = record.ownerId === null ? null : this.#options.people.find(record.ownerId);
    return { ...record, state, ownerName: owner?.name ?? null };
  }
}

function revoked(): Unauthorized {
  return new Unauthorized("This key was revoked.");
}

/** The refusal of a key or session whose time is over. */
export function expired(): Unauthorized {
  return new Unauthorized("This key or session has expired.");
}
