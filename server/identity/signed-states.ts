import { createHmac, timingSafeEqual } from "node:crypto";
import { randomToken } from "./secret-token.ts";

const maxTaken = 10_000;

/**
 * What a browser keeps for the server between two steps of one thing, such as signing in elsewhere:
 * signed, so that it cannot be made up, and good for one use within some minutes.
 */
export class SignedStates<State extends object> {
  readonly #key: Buffer;
  readonly #seconds: number;
  /** Those used up, with when they would have expired, in milliseconds since 1970. */
  readonly #taken = new Map<string, number>();

  /** @param purpose keeps a state from being used for another purpose with the same secret. */
  constructor(secret: string, purpose: string, seconds: number) {
    this.#key = createHmac("sha256", secret).update(`state:${purpose}`).digest();
    this.#seconds = seconds;
  }

  get seconds(): number {
    return this.#seconds;
  }

  sign(state: State): string {
    const until = Date.now() + this.#seconds * 1000;
    const text = JSON.stringify({ state, until, id: randomToken() });
    const content = Buffer.from(text).toString("base64url");
    return `${content}.${this.#mac(content).toString("base64url")}`;
  }

  /** The state, this once; null when it was not signed here, has expired, or was taken before. */
  take(signed: string): State | null {
    const [content = "", mac = ""] = signed.split(".");
    const given = Buffer.from(mac, "base64url");
    const right = this.#mac(content);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
    const { state, until, id } = JSON.parse(Buffer.from(content, "base64url").toString());
    const now = Date.now();
    if (until <= now || this.#taken.has(id)) return null;
    for (const [old, end] of this.#taken) if (end <= now) this.#taken.delete(old);
    if (this.#taken.size >= maxTaken) this.#taken.clear();
    this.#taken.set(id, until);
    return state;
  }

  #mac(content: string): Buffer {
    return createHmac("sha256", this.#key).update(content).digest();
  }
}
