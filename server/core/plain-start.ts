import { libraryActor } from "./actor.ts";
import type { Command } from "./command.ts";

/** A start that asks for nothing in particular: everything but which task of which type it is. */
export const plainStart = {
  kind: "start",
  params: {},
  actor: libraryActor,
  runAt: null,
  priority: 0,
  labels: {},
  concurrencyKey: null,
  parentTaskId: null,
  rerunOf: null,
  idempotencyKey: null,
  requestDigest: null,
  lease: null,
} as const satisfies Omit<Command<"start">, "taskId" | "at" | "type">;
