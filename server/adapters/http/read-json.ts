import { SurfaceError } from "../error-table.ts";

/** Bytes a request's body may have. */
const maxBodyBytes = 1024 * 1024;

// Well above what people write, and far below what recursion could not take.
const maxDepth = 200;

/**
 * Values one body may hold, each member and item counted. Checking them against a schema keeps every
 * other request waiting, and an error for each would take hundreds of megabytes.
 */
const maxValues = 50_000;

/** Whether a request brings a body, which may still be an empty one. */
export function hasBody({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0";
}

/**
 * Reads a body of JSON.
 *
 * @returns undefined for an empty body.
 * @throws SurfaceError `unsupported_media_type`, `too_large` or `not_json`
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (!/^\s*application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(type ?? "")) {
    throw new SurfaceError(
      "unsupported_media_type",
      `The body must be JSON and be sent as Content-Type: application/json, not ${type ? `"${type.slice(0, 100)}"` : "without a content type"}.`,
    );
  }
  const text = await readText(request);
  return text.trim() === "" ? undefined : parseJson(text, "The body");
}

/**
 * @param what begins the sentence that says what is wrong.
 * @throws SurfaceError `not_json`
 */
export function parseJson(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new SurfaceError("not_json", `${what} is not JSON: ${why.slice(0, 200)}`);
  }
  const left = valuesLeft(value, maxDepth, maxValues);
  if (left === "too_deep") {
    throw new SurfaceError("not_json", `${what} is nested more than ${maxDepth} levels deep.`);
  }
  if (left < 0) {
    throw new SurfaceError(
      "too_large",
      `${what} may hold ${maxValues} values (members and items, at every level), and this one has more.`,
    );
  }
  return value;
}

async function readText(request: Request): Promise<string> {
  const length = request.headers.get("content-length");
  // HTTP holds a body to its Content-Length; only one without has to be counted while it comes.
  if (length !== null && !request.headers.has("transfer-encoding")) {
    if (Number(length) > maxBodyBytes) throw tooLarge();
    const bytes = await request.arrayBuffer();
    if (bytes.byteLength > maxBodyBytes) throw tooLarge();
    return decoded([bytes]);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return decoded(chunks);
}

/** Bytes that are no UTF-8 would be replaced, and something else be stored than what was sent. */
function decoded(chunks: (ArrayBuffer | Uint8Array)[]): string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
    return text + decoder.decode();
  } catch {
    throw new SurfaceError("not_json", "The body is not JSON: it is not encoded as UTF-8.");
  }
}

function tooLarge(): SurfaceError {
  return new SurfaceError(
    "too_large",
    `A body may have ${maxBodyBytes} bytes, and this one has more.`,
  );
}

/** Counts down by what a value holds; below 0 there were too many. */
function valuesLeft(value: unknown, levels: number, most: number): number | "too_deep" {
  if (typeof value !== "object" || value === null) return most;
  if (levels === 0) return "too_deep";
  const members = Array.isArray(value) ? value : Object.values(value);
  let left = most - members.length;
  for (const member of members) {
    if (left < 0) break;
    if (typeof member !== "object") continue;
    const after = valuesLeft(member, levels - 1, left);
    if (after === "too_deep") return after;
    left = after;
  }
  return left;
}
