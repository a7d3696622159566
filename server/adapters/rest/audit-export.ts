import type { AuditEntry } from "../../core/audit.ts";
import { systemClock } from "../../core/system-clock.ts";
import { toTimestamp } from "../../core/timestamp.ts";
import type { ApiContext } from "../trpc/api-context.ts";
import { auditFilters, exportAuditInput } from "../trpc/audit-inputs.ts";
import { auditCsvHead, auditCsvLine } from "./audit-csv.ts";
import { queryInput } from "./query-input.ts";

/** Below the root of the REST API. */
export const auditExportPath = "/audit/export";

const formats = {
  jsonl: {
    type: "application/x-ndjson; charset=utf-8",
    head: "",
    line: (entry: AuditEntry) => `${JSON.stringify(entry)}\n`,
  },
  csv: { type: "text/csv; charset=utf-8", head: auditCsvHead, line: auditCsvLine },
};

/**
 * The audit log as a file to save: everything the filters let through, newest first, however much it
 * is.
 *
 * @throws Forbidden, InvalidInput, and zod's error for filters that are none.
 */
export async function exportAudit(
  request: Request,
  query: string,
  { tasks }: ApiContext,
): Promise<Response> {
  const { format, ...given } = exportAuditInput.parse(queryInput(query, exportAuditInput));
  const pages = tasks.exportAudit(auditFilters(given), { format, signal: request.signal });
  // What refuses the caller refuses at the first page, while there is a status to say so with.
  const first = await pages.next();
  const { type, head, line } = formats[format];
  const stamp = toTimestamp(systemClock.now()).slice(0, 19).replace(/\D/g, "");
  return new Response(streamOf(head, first, pages, line), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="toolthread-audit-${stamp}.${format}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

function streamOf(
  head: string,
  first: IteratorResult<AuditEntry[], void>,
  pages: AsyncGenerator<AuditEntry[], void, undefined>,
  line: (entry: AuditEntry) => string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: IteratorResult<AuditEntry[], void> | null = first;
  // Pulled by whoever reads: a slow reader costs no more memory than a page.
  return new ReadableStream({
    start: (controller) => {
      if (head !== "") controller.enqueue(encoder.encode(head));
    },
    pull: async (controller) => {
      const page = next ?? (await pages.next());
      next = null;
      if (page.done) controller.close();
      else controller.enqueue(encoder.encode(page.value.map(line).join("")));
    },
    cancel: async () => {
      await pages.return();
    },
  });
}
