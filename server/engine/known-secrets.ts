import { isJsonObject, type JsonValue } from "../core/json.ts";
import { secretMask } from "../core/secret-box.ts";

/** Shorter values are too likely to stand in a text for another reason. */
const minLength = 4;
/** Of a secret of several lines, such as a key file, these are looked for one by one too. */
const minLineLength = 16;

/** The secret values a task knows of, to find them where they must not be. */
export class KnownSecrets {
  /** Longest first, so that one within another leaves nothing of the longer one. */
  #texts: string[] = [];

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  /** From now on the texts and numbers in `value` are secrets. */
  add(value: JsonValue): void {
    const texts = new Set(this.#texts);
    for (const text of textsIn(value)) {
      const lines = text.split(/\r?\n/).map((line) => line.trim());
      const forms = [text, text.trim(), ...lines.filter((line) => line.length >= minLineLength)];
      for (const form of forms) {
        if (form.length < minLength || form === secretMask) continue;
        texts.add(form);
        // As it reads within JSON, where messages often have it from.
        texts.add(JSON.stringify(form).slice(1, -1));
      }
    }
    this.#texts = [...texts].sort((a, b) => b.length - a.length);
  }

  /** The text with `•••` for each secret in it. */
  maskText(text: string): string {
    let masked = text;
    for (const secret of this.#texts) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, secretMask);
    }
    return masked;
  }

  /** The value with `•••` for each secret in its texts and names. */
  mask(value: JsonValue): JsonValue {
    if (this.isEmpty) return value;
    if (typeof value === "string") return this.maskText(value);
    if (typeof value === "number") {
      return this.#texts.includes(String(value)) ? secretMask : value;
    }
    if (Array.isArray(value)) return value.map((item) => this.mask(item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.maskText(name), this.mask(member)]),
    );
  }

  /** Whether a secret is in the value's texts, numbers or names. */
  occurIn(value: JsonValue): boolean {
    if (this.isEmpty) return false;
    if (typeof value === "string") return this.#texts.some((secret) => value.includes(secret));
    if (typeof value === "number") return this.#texts.includes(String(value));
    if (Array.isArray(value)) return value.some((item) => this.occurIn(item));
    if (!isJsonObject(value)) return false;
    return Object.entries(value).some(
      ([name, member]) => this.occurIn(name) || this.occurIn(member),
    );
  }
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
