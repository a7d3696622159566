import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { InvalidInput, SecretUnreadable } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { Sealed, SecretBox } from "../core/secret-box.ts";

const version = "1";
const nonceBytes = 12;
const tagBytes = 16;
/** Sealed texts have lengths in steps of this, so that they tell little of how long a value is. */
const paddedTo = 64;
const minSecretLength = 16;

interface Keys {
  id: string;
  seal: Buffer;
  digest: Buffer;
}

/**
 * A box that seals with AES-256-GCM, under keys derived from `secret` with HKDF-SHA-256.
 *
 * @param options.secret 16 characters or more, from a good source of randomness.
 * @param options.oldSecrets earlier ones, which still open what they sealed.
 * @throws InvalidInput for a secret that is too short.
 */
export function secretBox({
  secret,
  oldSecrets = [],
}: {
  secret: string;
  oldSecrets?: readonly string[];
}): SecretBox {
  return new AesSecretBox(secret, oldSecrets);
}

/** A box for what does not outlive this process. */
export function passingSecretBox(): SecretBox {
  return new AesSecretBox(randomBytes(32).toString("base64url"), []);
}

class AesSecretBox implements SecretBox {
  readonly #current: Keys;
  readonly #all: readonly Keys[];

  constructor(secret: string, oldSecrets: readonly string[]) {
    this.#current = deriveKeys(secret);
    this.#all = [this.#current, ...oldSecrets.map(deriveKeys)];
  }

  get keyIds(): readonly string[] {
    return this.#all.map(({ id }) => id);
  }

  seal(value: JsonValue, place: string): Sealed {
    const { id, seal } = this.#current;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", seal, nonce);
    cipher.setAAD(associated(id, place));
    const body = Buffer.concat([cipher.update(padded(JSON.stringify(value))), cipher.final()]);
    const text = Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
    return { keyId: id, text: `${version}.${text}` };
  }

  open({ keyId, text }: Sealed, place: string): JsonValue {
    const keys = this.#all.find(({ id }) => id === keyId);
    if (!keys) {
      throw new SecretUnreadable(
        "A secret value was encrypted with another TOOLTHREAD_SECRET than those that are known. " +
          "Add the earlier one to TOOLTHREAD_OLD_SECRETS, or enter the value again.",
        { keyId },
      );
    }
    try {
      return openWith(keys, text, place);
    } catch (cause) {
      throw new SecretUnreadable(
        "A secret value cannot be decrypted: what is stored of it was changed or damaged.",
        { keyId },
        { cause },
      );
    }
  }

  digests(text: string): readonly [string, ...string[]] {
    const digest = ({ id, digest: key }: Keys) =>
      `${id}.${createHmac("sha256", key).update(text).digest("hex")}`;
    return [digest(this.#current), ...this.#all.slice(1).map(digest)];
  }
}

function openWith({ id, seal }: Keys, text: string, place: string): JsonValue {
  if (!text.startsWith(`${version}.`)) throw new Error("it is of another version");
  const bytes = Buffer.from(text.slice(version.length + 1), "base64url");
  if (bytes.length < nonceBytes + tagBytes) throw new Error("it is too short");
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv("aes-256-gcm", seal, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associated(id, place));
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  const body = decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes));
  return JSON.parse(Buffer.concat([body, decipher.final()]).toString("utf8")) as JsonValue;
}

function deriveKeys(secret: string): Keys {
  if (secret.length < minSecretLength) {
    throw new InvalidInput(`A secret has ${minSecretLength} characters or more.`);
  }
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "toolthread", `${purpose} v${version}`, bytes));
  return {
    id: derive("key id", 6).toString("base64url"),
    seal: derive("secret values", 32),
    digest: derive("digests", 32),
  };
}

function associated(keyId: string, place: string): Buffer {
  return Buffer.from(`${version} ${keyId} ${place}`);
}

/** JSON text with white space behind it, which JSON ignores. */
function padded(json: string): string {
  const bytes = Buffer.byteLength(json);
  return json + " ".repeat((paddedTo - (bytes % paddedTo)) % paddedTo);
}
