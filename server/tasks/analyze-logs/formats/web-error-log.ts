import type { LineParser, LogFormat, LogLine } from "../log-format.ts";
import { levelNamed } from "../log-level.ts";
import { readApacheTime, readIsoTime } from "../log-time.ts";

const nginxHead = /^ \[(\w{1,10})\] (?:\d+#\d+: )?(?:\*\d+ )?/;
const apacheHead = /^\] \[(?:[\w-]{0,40}:)?(\w{1,10})\] (?:\[(?:pid|client) [^\]]{1,100}\] )*/;

/**
 * Error logs of nginx (`2026/11/30 12:00:00 [error] 12#0: *3 open() failed, client: …`) and Apache
 * (`[Mon Nov 30 12:00:00.123456 2026] [core:error] [pid 12] [client …] AH00124: …`).
 */
export const webErrorLog: LogFormat = {
  name: "web-error",
  isMultiline: false,
  createParser: (): LineParser => ({ parse: parseWebErrorLine }),
};

function parseWebErrorLine(line: string): LogLine | null {
  const isApache = line.charCodeAt(0) === 91;
  if (!isApache && line.charCodeAt(4) !== 47) return null;
  const time = isApache ? readApacheTime(line, 1) : readIsoTime(line, 0);
  if (!time) return null;
  const rest = line.slice(time.end);
  const head = (isApache ? apacheHead : nginxHead).exec(rest);
  const level = head && levelNamed(head[1] as string);
  if (!head || !level) return null;
  const message = rest.slice(head[0].length);
  return { level, at: time.at, message: isApache ? message : withoutRequest(message) };
}

/** nginx ends a message with whose request it was; that would keep equal messages apart. */
function withoutRequest(message: string): string {
  const end = message.indexOf(", client: ");
  return end < 0 ? message : message.slice(0, end);
}
