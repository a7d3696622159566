import { createContext, Script } from "node:vm";
import type { z } from "zod";
import { InvalidAnswer } from "../core/errors.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { fromJsonSchema } from "./json-schema.ts";

/**
 * Milliseconds that a check may take. Some patterns take longer than anybody lives over some texts,
 * and so does a schema whose parts refer to each other twice, over and over; and who asks chooses both.
 */
const longestCheckMs = 200;
// A machine that is busy elsewhere is not the value's fault.
const tries = 3;

const sandbox = createContext({ run: () => {} });
const script = new Script("run()");

/**
 * Checks a value by a JSON Schema, in bounded time.
 *
 * @throws InvalidAnswer when that takes too long.
 * @throws InvalidInput for a schema that cannot be checked.
 */
export function checkWithSchema(
  schema: JsonObject,
  value: JsonValue,
): z.ZodSafeParseResult<unknown> {
  for (let left = tries; left > 0; left -= 1) {
    const before = process.cpuUsage();
    const result = withinTime(() => fromJsonSchema(schema).safeParse(value));
    if (result !== null) return result;
    const { user, system } = process.cpuUsage(before);
    if (user + system > (longestCheckMs * 1000) / 2) break;
  }
  const message =
    "The schema takes too long to check this value. Give a smaller one, or ask with a schema that has " +
    "no pattern in which what repeats is repeated, and no parts that refer to others many times over.";
  throw new InvalidAnswer(message, { issues: [{ path: "", message }] });
}

/** @returns null when it takes too long. */
function withinTime<T>(check: () => T): T | null {
  let result: T | null = null;
  sandbox.run = () => {
    result = check();
  };
  try {
    // The only way to interrupt a regular expression. Everything runs as it would without.
    script.runInContext(sandbox, { timeout: longestCheckMs });
    return result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  } finally {
    sandbox.run = () => {};
  }
}
