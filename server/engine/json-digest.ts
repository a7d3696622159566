import { createHash } from "node:crypto";
import { canonicalJson, type JsonValue } from "../core/json.ts";

/** SHA-256 of the canonical JSON, in hex: the same for equal data. */
export function jsonDigest(value: JsonValue): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}
