import { initTRPC } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { errorTable, toApiError } from "../error-table.ts";
import type { ApiContext } from "./api-context.ts";

/** Seconds between two heartbeats of a stream; proxies close a stream that is silent for long. */
const heartbeatSeconds = 15;

const t = initTRPC.context<ApiContext>().create({
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
export const procedure = t.procedure;
