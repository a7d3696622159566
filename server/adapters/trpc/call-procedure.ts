import { callTRPCProcedure } from "@trpc/server";
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
