import type { z } from "zod";
import type { ApiErrorCode } from "../error-table.ts";
import type { ApiContext } from "../trpc/api-context.ts";

/** A request that found its route. */
export interface RestCall {
  request: Request;
  /** From path, query, body and headers, not yet checked. */
  input: Record<string, unknown>;
  context: ApiContext;
  onUnexpected(error: unknown): void;
}

export interface RestRoute {
  method: "GET" | "POST";
  /** Below the root of the API; `{name}` is a parameter that goes into the input. */
  path: string;
  /** The tRPC procedure that does it; where there is `content`, the one whose permission it needs. */
  procedure: string;
  /** The procedure's input; null when it takes none. */
  input: z.ZodObject | null;
  /** What it answers, for the description of the API; null where there is `content`. */
  output: z.ZodType | null;
  summary: string;
  /** More than the summary says. */
  description?: string;
  /** The status of a success, from what the procedure returned; 200 when left out. */
  status?(result: unknown): number;
  /** Codes of refusals beside those that every route has. */
  codes: ApiErrorCode[];
  /** Answers with something else than one piece of JSON. */
  content?: {
    /** The media types it may have. */
    produces: string[];
    /** A piece of it, for the description. */
    example: string;
    answer(call: RestCall): Promise<Response>;
  };
  /** Headers that say something here: by header, the member of the input that it stands for. */
  headers?: Readonly<Record<string, string | null>>;
}
