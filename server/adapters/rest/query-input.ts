import type { z } from "zod";
import { InvalidInput } from "../../core/errors.ts";

/**
 * Reads a query string as the input a schema describes. Texts become numbers and booleans where
 * the schema has those and they can be read so; what cannot is left for the schema to refuse. A
 * list is a repeated name, an object is `name[key]=value`.
 *
 * @throws InvalidInput for a repeated name that is not a list.
 */
export function queryInput(query: string, schema: z.ZodObject): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null);
  for (const [name, text] of new URLSearchParams(query)) {
    const member = /^([^[]+)\[([^\]]*)\]$/.exec(name);
    const key = member?.[1] ?? name;
    const kind = kindOf(schema.shape[key]);
    if (member && kind === "record" && typeof input[key] !== "string") {
      input[key] = { ...(input[key] as object), [member[2] as string]: text };
    } else if (kind === "array") {
      input[name] = [...((input[name] as string[]) ?? []), text];
    } else if (name in input) {
      throw new InvalidInput(`${name.slice(0, 100)} is given more than once.`);
    } else {
      input[name] = readAs(kind, text);
    }
  }
  return { ...input };
}

function readAs(kind: string, text: string): unknown {
  if (kind === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** What a schema takes, without the wrappers that say that it may be missing. */
function kindOf(schema: unknown): string {
  const { def } = (schema ?? {}) as { def?: { type: string; innerType?: unknown } };
  return def?.innerType === undefined ? (def?.type ?? "unknown") : kindOf(def.innerType);
}
