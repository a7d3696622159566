import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const maxAgeSeconds = 30 * 24 * 60 * 60;

/**
 * Makes and checks the cookie that tells the pages' requests from a program's. It is signed and
 * holds no identity yet: whoever has one is the operator.
 */
export class SessionCookies {
  readonly #secret: string;
  readonly #name: string;

  constructor(secret: string) {
    this.#secret = secret;
    // Browsers share cookies between the ports of one host, so two installations on one machine
    // need two names.
    this.#name = `toolthread_${createHash("sha256").update(`name:${secret}`).digest("hex").slice(0, 8)}`;
  }

  /** The value of a `Set-Cookie` header. */
  issue({ secure }: { secure: boolean }): string {
    const content = `${Math.floor(Date.now() / 1000)}.${randomBytes(16).toString("base64url")}`;
    const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}`;
    const value = `${content}.${this.#sign(content)}`;
    return `${this.#name}=${value}; ${attributes}${secure ? "; Secure" : ""}`;
  }

  /** Whether a `Cookie` header has a session, and whether it is one of ours that still counts. */
  check(cookieHeader: string | null): "none" | "valid" | "invalid" {
    const value = cookieHeader === null ? null : cookieNamed(this.#name, cookieHeader);
    if (value === null) return "none";
    const end = value.lastIndexOf(".");
    const content = value.slice(0, Math.max(0, end));
    const issuedAt = Number(content.split(".")[0]);
    const isYoung = Date.now() / 1000 - issuedAt < maxAgeSeconds;
    return isYoung && isEqualText(value.slice(end + 1), this.#sign(content)) ? "valid" : "invalid";
  }

  #sign(content: string): string {
    return createHmac("sha256", this.#secret).update(content).digest("base64url");
  }
}

/** Compares secrets in a time that does not tell how much of them is equal. */
export function isEqualText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function cookieNamed(name: string, cookieHeader: string): string | null {
  for (const part of cookieHeader.split(";")) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name && value !== undefined) return value;
  }
  return null;
}
