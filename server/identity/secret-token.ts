import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A secret nobody can guess: 256 random bits, as text that fits into URLs and headers. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * What is stored of a random token. One round is enough: there is no dictionary of 256-bit tokens,
 * unlike of passwords.
 */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Compares hashes in a time that does not tell how much of them is equal. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, "hex"), Buffer.from(b, "hex")];
  return left.length === right.length && timingSafeEqual(left, right);
}
