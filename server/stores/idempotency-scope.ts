import type { Command } from "../core/command.ts";

/** What an idempotency key is unique within: its actor and task type. Null without a key. */
export function idempotencyScope(
  start: Pick<Command<"start">, "idempotencyKey" | "type" | "actor">,
): string | null {
  const { idempotencyKey, type, actor } = start;
  return idempotencyKey === null
    ? null
    : JSON.stringify([actor.kind, actor.id, type, idempotencyKey]);
}
