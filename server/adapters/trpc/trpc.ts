import { initTRPC } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { Forbidden } from "../../core/errors.ts";
import type { Permission } from "../../core/permission.ts";
import { errorTable, toApiError } from "../error-table.ts";
import type { ApiContext } from "./api-context.ts";
import { refuseDroppedMembers } from "./refuse-dropped-members.ts";

/**
 * Seconds between two heartbeats of a stream. Proxies close a stream that is silent for long, and a
 * page tells by them that its stream is not one that died in silence.
 */
const heartbeatSeconds = 5;

/**
 * What a caller must be allowed for a procedure; `signed_in` asks only for an identity. There is no
 * procedure without: this is the only way to make one.
 */
export type ProcedureRule = Permission | "signed_in";

export interface ProcedureMeta {
  rule: ProcedureRule;
}

const t = initTRPC
  .context<ApiContext>()
  .meta<ProcedureMeta>()
  .create({
    // Stacks are added in development only; here they never leave the process.
    isDev: false,
    sse: {
      ping: { enabled: true, intervalMs: heartbeatSeconds * 1000 },
      client: { reconnectAfterInactivityMs: heartbeatSeconds * 3000 },
    },
    errorFormatter({ error, path }) {
      const { code, message, details } = toApiError(error);
      const row = errorTable[code];
      return {
        message,
        code: TRPC_ERROR_CODES_BY_KEY[row.trpc],
        data: { code, details, httpStatus: row.http, trpcCode: row.trpc, path },
      };
    },
  });

export const router = t.router;

/** Begins a procedure that only callers with this permission may call. */
export function procedure(rule: ProcedureRule) {
  return t.procedure.meta({ rule }).use(({ ctx, path, next, getRawInput }) => {
    if (rule !== "signed_in" && !ctx.caller.access.may(rule)) throw notAllowed(ctx, path, rule);
    return getRawInput().then((input) => {
      refuseDroppedMembers(input);
      return next();
    });
  });
}

function notAllowed({ caller }: ApiContext, path: string, rule: Permission): Forbidden {
  const { actor, role } = caller;
  const who = actor.kind === "operator" ? `As ${role ?? "viewer"} you` : "This key";
  return new Forbidden(`${who} may not do this (${path}): ${caller.access.lackOf(rule)}.`);
}
