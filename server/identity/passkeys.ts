import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  type VerifiedAuthenticationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { Clock } from "../core/clock.ts";
import { Conflict, InvalidInput, TaskNotFound, Unauthorized } from "../core/errors.ts";
import { toTimestamp } from "../core/timestamp.ts";
import type { PersonRecord } from "../stores/identity-store.ts";
import type { PasskeyRecord, PasskeyStore } from "../stores/passkey-store.ts";
import type { Caller, NoteIdentityEvent } from "./caller.ts";
import type { People } from "./people.ts";
import { SignedStates } from "./signed-states.ts";

/** Seconds that somebody has for touching their key. */
const attemptSeconds = 300;

const maxPasskeys = 20;

interface Pending {
  challenge: string;
  /** The origin of the page that asked. */
  origin: string;
  /** Whom a new one is for; null for signing in. */
  userId: string | null;
}

/** What may be known of a passkey. */
export type PasskeyView = Pick<PasskeyRecord, "passkeyId" | "name" | "createdAt" | "lastUsedAt">;

export interface PasskeysOptions {
  store: PasskeyStore;
  secret: string;
  people: People;
  clock: Clock;
  note: NoteIdentityEvent;
}

/**
 * Signing in with a key pair of one's device (WebAuthn), which asks for a finger, a face or a PIN. It
 * proves who somebody is; the session comes after it.
 */
export class Passkeys {
  readonly #options: PasskeysOptions;
  readonly #states: SignedStates<Pending>;

  constructor(options: PasskeysOptions) {
    this.#options = options;
    this.#states = new SignedStates(options.secret, "passkeys", attemptSeconds);
  }

  async list(userId: string): Promise<PasskeyView[]> {
    const found = await this.#options.store.list(userId);
    return found.map(({ passkeyId, name, createdAt, lastUsedAt }) => ({
      passkeyId,
      name,
      createdAt,
      lastUsedAt,
    }));
  }

  /** What a browser needs for making one. @throws Conflict when there are too many. */
  async beginAdding(
    { actor, email }: Caller,
    origin: string,
  ): Promise<{ options: PublicKeyCredentialCreationOptionsJSON; state: string }> {
    const existing = await this.#options.store.list(actor.id);
    if (existing.length >= maxPasskeys) {
      throw new Conflict(`You have ${maxPasskeys} passkeys: remove one that you do not use.`);
    }
    const options = await generateRegistrationOptions({
      rpName: "toolthread",
      rpID: rpIdOf(origin),
      userID: new TextEncoder().encode(actor.id) as Uint8Array<ArrayBuffer>,
      userName: email ?? actor.name,
      userDisplayName: actor.name,
      attestationType: "none",
      // The key names its owner by itself, and asks who holds it: it stands for a name and a password.
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId })),
    });
    const { challenge } = options;
    return { options, state: this.#states.sign({ challenge, origin, userId: actor.id }) };
  }

  /** @throws InvalidInput when the answer does not count; @throws Conflict */
  async add(
    given: { name: string; state: string; response: RegistrationResponseJSON },
    by: Caller,
  ): Promise<PasskeyView> {
    const { store, clock, note } = this.#options;
    const { name, state, response } = given;
    const pending = this.#states.take(state);
    if (pending?.userId !== by.actor.id) throw tooLate();
    const { origin, challenge } = pending;
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpIdOf(origin),
    }).catch((error: unknown) => {
      throw new InvalidInput(`This passkey cannot be used: ${(error as Error).message}`);
    });
    if (!verified.verified) throw new InvalidInput("This passkey cannot be used.");
    const { credential } = verified.registrationInfo;
    const passkey: PasskeyRecord = {
      passkeyId: `passkey_${randomUUID()}`,
      userId: by.actor.id,
      name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: credential.transports ?? [],
      createdAt: toTimestamp(clock.now()),
      lastUsedAt: null,
    };
    if (!(await store.add(passkey))) throw new Conflict("This passkey is in use already.");
    const { passkeyId, createdAt, lastUsedAt } = passkey;
    const address = by.actor.address ?? null;
    note({ kind: "passkey_added", actor: by.actor, address, details: { passkeyId, name } });
    return { passkeyId, name, createdAt, lastUsedAt };
  }

  /** What a browser needs for signing in: the same for everybody, so that it tells nothing of anybody. */
  async beginSignIn(
    origin: string,
  ): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; state: string }> {
    const rpID = rpIdOf(origin);
    const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
    const state = this.#states.sign({ challenge: options.challenge, origin, userId: null });
    return { options, state };
  }

  /** Whose passkey answered. @throws Unauthorized */
  async identify(given: {
    state: string;
    response: AuthenticationResponseJSON;
  }): Promise<PersonRecord> {
    const { store, clock, people } = this.#options;
    const { state, response } = given;
    const pending = this.#states.take(state);
    if (pending?.userId !== null) throw tooLate();
    const passkey = await store.find(response.id);
    const person = passkey && people.find(passkey.userId);
    if (!passkey || !person || person.disabledAt !== null) throw noSuchPasskey();
    const { verified, authenticationInfo } = await verify(pending, passkey, response).catch(() => {
      throw noSuchPasskey();
    });
    if (!verified) throw noSuchPasskey();
    const counter = authenticationInfo.newCounter;
    await store.noteUse(passkey.passkeyId, { counter, lastUsedAt: toTimestamp(clock.now()) });
    return person;
  }

  /** @throws TaskNotFound when the caller has no such passkey. */
  async rename(passkeyId: string, name: string, by: Caller): Promise<void> {
    const before = await this.#options.store.rename(passkeyId, by.actor.id, name);
    if (before === null) throw noneOfYours(passkeyId);
    if (before !== name) this.#note("passkey_renamed", by, { passkeyId, before, after: name });
  }

  /** @throws TaskNotFound when the caller has no such passkey. */
  async remove(passkeyId: string, by: Caller): Promise<void> {
    const name = await this.#options.store.remove(passkeyId, by.actor.id);
    if (name === null) throw noneOfYours(passkeyId);
    this.#note("passkey_removed", by, { passkeyId, name });
  }

  #note(
    kind: "passkey_renamed" | "passkey_removed",
    { actor }: Caller,
    details: Record<string, unknown>,
  ): void {
    this.#options.note({ kind, actor, address: actor.address ?? null, details });
  }
}

function verify(
  { challenge, origin }: Pending,
  { credentialId, publicKey, counter, transports, userId }: PasskeyRecord,
  response: AuthenticationResponseJSON,
): Promise<VerifiedAuthenticationResponse> {
  const { userHandle } = response.response;
  const isTheirs =
    userHandle === undefined || Buffer.from(userHandle, "base64url").toString() === userId;
  if (!isTheirs) throw noSuchPasskey();
  return verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    credential: {
      id: credentialId,
      publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")),
      counter,
      transports: transports as AuthenticatorTransports,
    },
  });
}

type AuthenticatorTransports = NonNullable<
  Parameters<typeof verifyAuthenticationResponse>[0]["credential"]["transports"]
>;

/** The name a passkey belongs to. @throws InvalidInput where there can be none. */
function rpIdOf(origin: string): string {
  const { hostname } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) === 0) return hostname;
  throw new InvalidInput(
    "A passkey belongs to a name, and this server was called by its address: use its name, or localhost.",
  );
}

function tooLate(): Unauthorized {
  return new Unauthorized("This took too long, or was done already. Try again.");
}

function noSuchPasskey(): Unauthorized {
  return new Unauthorized("This passkey does not sign you in here.");
}

function noneOfYours(passkeyId: string): TaskNotFound {
  return new TaskNotFound(`You have no passkey ${passkeyId}.`);
}
