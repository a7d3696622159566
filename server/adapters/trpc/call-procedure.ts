import type { AnyProcedure, ProcedureType } from "@trpc/server";
import { type ApiError, SurfaceError, toApiError } from "../error-table.ts";
import type { ApiContext } from "./api-context.ts";
import { appRouter } from "./app-router.ts";

// tRPC keeps its procedures by full path, which its types do not say. A call through
// callTRPCProcedure would find them in the same place, and hold one more frame while it waits.
const procedures = new Map<string, AnyProcedure>(
  Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>),
);

/** Undefined when there is no such procedure. */
export function procedureTypeOf(path: string): ProcedureType | undefined {
  return procedures.get(path)?._def.type;
}

/** Calls one query or mutation, as every surface but batched tRPC does. */
export function callProcedure(
  path: string,
  readInput: () => unknown,
  ctx: ApiContext,
  signal: AbortSignal,
): Promise<unknown> {
  const procedure = procedures.get(path);
  if (!procedure) {
    return Promise.reject(new SurfaceError("unknown_route", `There is no procedure ${path}.`));
  }
  // Asked for more than once, and a body can be read only once.
  let input: Promise<unknown> | undefined;
  const read = async () => readInput();
  const getRawInput = () => {
    input ??= read();
    return input;
  };
  return procedure({
    path,
    type: procedure._def.type,
    getRawInput,
    ctx: { ...ctx, hold: (wait: Promise<unknown>) => new Held(wait) },
    signal,
    batchIndex: 0,
    input: undefined,
  }).then(release);
}

/** The promise of a wait in a box, which no `await` on its way opens. */
class Held {
  readonly wait: Promise<unknown>;

  constructor(wait: Promise<unknown>) {
    this.wait = wait;
  }
}

function release(result: unknown): unknown {
  return result instanceof Held ? result.wait : result;
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
