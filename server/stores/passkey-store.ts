import type { Timestamp } from "../core/timestamp.ts";

/** The public half of a passkey. */
export interface PasskeyRecord {
  passkeyId: string;
  userId: string;
  name: string;
  /** In base64url, as browsers name it. */
  credentialId: string;
  /** COSE, in base64url. */
  publicKey: string;
  /** How often its device says it was used. */
  counter: number;
  transports: string[];
  createdAt: Timestamp;
  lastUsedAt: Timestamp | null;
}

/** Where passkeys are kept. @throws StoreUnavailable from every method. */
export interface PasskeyStore {
  /** The oldest first. */
  list(userId: string): Promise<PasskeyRecord[]>;
  find(credentialId: string): Promise<PasskeyRecord | null>;
  /** @returns false when it is there already. */
  add(passkey: PasskeyRecord): Promise<boolean>;
  noteUse(passkeyId: string, use: { counter: number; lastUsedAt: Timestamp }): Promise<void>;
  /** @returns its name until then; null when the person has no such passkey. */
  rename(passkeyId: string, userId: string, name: string): Promise<string | null>;
  /** @returns its name; null when the person has no such passkey. */
  remove(passkeyId: string, userId: string): Promise<string | null>;
}
