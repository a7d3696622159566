import { InvalidInput } from "../../core/errors.ts";
import { toJsonValue } from "../../core/json.ts";

/**
 * The input of a call as JSON data, so that what cannot be sent is told by its name before anything is.
 *
 * @throws InvalidInput
 */
export function sendable<I>(input: I): I {
  if (typeof input !== "object" || input === null) return input;
  const members = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, memberOf(name, value)])) as I;
}

function memberOf(name: string, value: unknown) {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new InvalidInput(`${name} is ${value}; use a number.`, { path: name });
  }
  return toJsonValue(value, name);
}

/**
 * What is sent with every call.
 *
 * @throws InvalidInput for a key or a header that HTTP cannot carry.
 */
export function sendableHeaders(
  given: Record<string, string> = {},
  apiKey: string | null,
): Record<string, string> {
  // As `fetch` has it: a key that was read from a file ends with a line break.
  const key = apiKey?.trim() ?? "";
  if (/[^\x21-\x7e]/.test(key)) {
    throw new InvalidInput(
      "apiKey has characters that a key cannot have: copy the key as it was shown when it was made.",
      { path: "apiKey" },
    );
  }
  try {
    new Headers(given);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidInput(`headers cannot be sent: ${why}`, { path: "headers" }, { cause: error });
  }
  return { ...given, ...(key === "" ? {} : { authorization: `Bearer ${key}` }) };
}
