import type { Actor } from "./actor.ts";

/** Who sent a command; null where nobody did, as for a deadline that passed. */
export function callerOf(command: object): Actor | null {
  return "actor" in command ? (command.actor as Actor | null) : null;
}

/** Where somebody called from is for the audit log only, and not for all who see the task. */
export function withoutAddress<C extends object>(command: C): C {
  const actor = callerOf(command);
  if (actor?.address === undefined) return command;
  const { address: _, ...bare } = actor;
  return { ...command, actor: bare };
}
