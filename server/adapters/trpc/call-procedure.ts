import { callTRPCProcedure } from "@trpc/server";
import { type ApiError, toApiError } from "../error-table.ts";
import type { ApiContext } from "./api-context.ts";
import { appRouter } from "./app-router.ts";

type ProcedureType = "query" | "mutation" | "subscription";

// tRPC keeps its procedures by full path, which its types do not say.
const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: ProcedureType } }
>;
const types: ReadonlyMap<string, ProcedureType> = new Map(
  Object.entries(procedures).map(([path, procedure]) => [path, procedure._def.type]),
);

/** Undefined when there is no such procedure. */
export function procedureTypeOf(path: string) {
  return types.get(path);
}

/** Calls one query or mutation, as every surface but batched tRPC does. */
export function callProcedure(
  path: string,
  input: unknown,
  ctx: ApiContext,
  signal: AbortSignal,
): Promise<unknown> {
  return callTRPCProcedure({
    router: appRouter,
    path,
    type: types.get(path) ?? "query",
    getRawInput: async () => input,
    ctx,
    signal,
    batchIndex: 0,
  });
}

/** What a call threw, as its caller is told; what nobody expected is reported besides. */
export function errorOfCall(
  thrown: unknown,
  signal: AbortSignal,
  onUnexpected: (error: unknown) => void,
): ApiError {
  if (signal.aborted) return { code: "client_gone", message: "The client went away.", details: {} };
  const error = toApiError(thrown);
  if (error.code === "internal") onUnexpected(thrown);
  return error;
}
