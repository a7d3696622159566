import type { AuditEntry } from "../../core/audit.ts";
import { systemClock } from "../../core/system-clock.ts";
import { toTimestamp } from "../../core/timestamp.ts";
import { auditFilters, exportAuditInput } from "../trpc/audit-inputs.ts";
import { auditCsvHead, auditCsvLine } from "./audit-csv.ts";
import { downloadResponse } from "./download-response.ts";
import type { RestCall } from "./rest-route.ts";

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
export async function exportAudit({ request, input, context }: RestCall): Promise<Response> {
  const { format, ...given } = exportAuditInput.parse(input);
  const pages = context.tasks.exportAudit(auditFilters(given), { format, signal: request.signal });
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
