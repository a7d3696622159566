import { createContext, Script } from "node:vm";
import type { z } from "zod";
import { InvalidAnswer } from "../core/errors.ts";
import type { JsonObject, JsonValue } from "../core/json.ts";
import { fromJsonSchema } from "./json-schema.ts";

// Some patterns take longer than anybody lives over some texts, and who asks chooses the pattern.
const longestCheckMs = 100;

const sandbox = createContext({ run: () => {} });
const script = new Script("run()");

/**
 * Checks a value by a JSON Schema, in bounded time.
 *
 * @throws InvalidAnswer when its patterns take too long over the value.
 * @throws InvalidInput for a schema that cannot be checked.
 */
export function checkWithSchema(
  schema: JsonObject,
  value: JsonValue,
): z.ZodSafeParseResult<unknown> {
  if (!hasPattern(schema)) return fromJsonSchema(schema).safeParse(value);
  let result: z.ZodSafeParseResult<unknown> | undefined;
  sandbox.run = () => {
    result = fromJsonSchema(schema).safeParse(value);
  };
  try {
    // The only way to interrupt a regular expression. Everything runs as it would without.
    script.runInContext(sandbox, { timeout: longestCheckMs });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    const message =
      "A pattern of the schema takes too long over this value. Give a shorter one, or ask with a " +
      "pattern in which nothing that repeats is repeated.";
    throw new InvalidAnswer(message, { issues: [{ path: "", message }] });
  } finally {
    sandbox.run = () => {};
  }
  return result as z.ZodSafeParseResult<unknown>;
}

function hasPattern(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, part]) => name === "pattern" || name === "patternProperties" || hasPattern(part),
  );
}
