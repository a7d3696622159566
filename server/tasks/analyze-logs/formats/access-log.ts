import type { LineParser, LogFormat, LogLine } from "../log-format.ts";
import type { LogLevel } from "../log-level.ts";
import { readAccessTime } from "../log-time.ts";
import { templateOfPath } from "../message-template.ts";

/**
 * Access logs of nginx and Apache, common and combined, also with a virtual host in front:
 * `192.0.2.1 - - [30/Nov/2026:12:00:00 +0000] "GET /cart HTTP/1.1" 500 1234 "…" "…"`. A status of
 * 500 and above is an error, of 400 and above a warning.
 */
export const accessLog: LogFormat = {
  name: "access",
  isMultiline: false,
  createParser: (): LineParser => ({ parse: parseAccessLine }),
};

function parseAccessLine(line: string): LogLine | null {
  const open = line.indexOf(" [");
  // Host, identity and user come before; a bracket far away is something else's.
  if (open < 1 || open > 600) return null;
  const time = readAccessTime(line, open + 2);
  if (!time || !line.startsWith('] "', time.end)) return null;
  const start = time.end + 3;
  const end = closingQuote(line, start);
  if (end < 0 || line[end + 1] !== " ") return null;
  const status = statusAt(line, end + 2);
  if (status === null) return null;
  const request = line.slice(start, end);
  const [method = "", target = ""] = request.split(" ", 2);
  const isRequest = /^[A-Z]{1,20}$/.test(method) && target !== "";
  return {
    level: levelOfStatus(status),
    at: time.at,
    message: `${status} ${request}`,
    template: `${status} ${isRequest ? `${method} ${templateOfPath(target)}` : "(no valid request)"}`,
  };
}

/** Index of the quote that ends the request, past quotes escaped inside it; -1 without one. */
function closingQuote(line: string, start: number): number {
  for (let i = line.indexOf('"', start); i >= 0; i = line.indexOf('"', i + 1)) {
    if (line[i - 1] !== "\\" || line[i - 2] === "\\") return i;
  }
  return -1;
}

function statusAt(line: string, start: number): number | null {
  const status = Number(line.slice(start, start + 3));
  const next = line[start + 3];
  return status >= 100 && status <= 999 && (next === " " || next === undefined) ? status : null;
}

function levelOfStatus(status: number): LogLevel {
  if (status >= 500) return "error";
  return status >= 400 ? "warning" : "info";
}
