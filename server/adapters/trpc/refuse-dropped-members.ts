import { InvalidInput } from "../../core/errors.ts";

// What callers may fill with any JSON, in which a member of this name is like any other.
const freeMembers = new Set(["params", "answer", "result", "context", "schema", "default"]);

/**
 * Zod drops a member named `__proto__` and says nothing. Whoever sent one is to be told, as with
 * every other member that is not known.
 *
 * @throws InvalidInput
 */
export function refuseDroppedMembers(input: unknown, path = ""): void {
  if (typeof input !== "object" || input === null) return;
  for (const [name, member] of Object.entries(input)) {
    if (name === "__proto__") throw dropped(path);
    if (!freeMembers.has(name)) refuseDroppedMembers(member, `${path}${name}.`);
  }
}

function dropped(path: string): InvalidInput {
  const name = `${path.slice(0, 100)}__proto__`;
  return new InvalidInput(`${name} cannot be used as a name here; choose another one.`, {
    issues: [{ path: name, message: "cannot be used as a name here" }],
  });
}
