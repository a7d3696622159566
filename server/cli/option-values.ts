import type { JsonValue } from "../core/json.ts";
import { CommandFailure, exitCodes } from "./exit-codes.ts";

/** @throws CommandFailure */
export function numberOf(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number;
  throw new CommandFailure(`"${text}" is not a number.`, exitCodes.usage);
}

/** Parts between commas. */
export function listOf(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}

/** @param what it is, as the message calls it. @throws CommandFailure */
export function jsonOf(text: string, what: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new CommandFailure(
      `The ${what} is not JSON: ${(error as Error).message}`,
      exitCodes.usage,
    );
  }
}

/** @throws CommandFailure for one that is not written as name=value. */
export function pairOf(text: string): [name: string, value: string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new CommandFailure(`"${text}" is not written as name=value.`, exitCodes.usage);
}

/** What is JSON is read as that. */
export function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
