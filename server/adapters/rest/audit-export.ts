import type { AuditEntry } from "../../core/audit.ts";
import { systemClock } from "../../core/system-clock.ts";
import { toTimestamp } from "../../core/timestamp.ts";
import type { ApiContext } from "../trpc/api-context.ts";
import { auditFilters, exportAuditInput } from "../trpc/audit-inputs.ts";
import { auditCsvHead, auditCsvLine } from "./audit-csv.ts";
import { downloadResponse } from "./download-response.ts";
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
  return downloadResponse({
    fileName: `toolthread-audit-${stamp}.${format}`,
    type,
    head,
    first,
    pages,
    textOf: (page) => page.map(line).join(""),
    foot: "",
  });
}
