import type { FileFacts, LineParser, LogFormat, LogLine } from "../log-format.ts";
import { guessLevel, type LogLevel, levelNamed, levelOfSeverity } from "../log-level.ts";
import { type FoundTime, readIsoTime, readSyslogTime } from "../log-time.ts";

const priorityHead = /^<(\d{1,3})>/;
// Host, then the tag with an optional process id, as in "web1 sshd[812]: ".
const traditionalHead = /^ ([^\s:[\]]{1,255}) ([^\s:[\]]{1,128})(?:\[[^\]]{1,20}\])?: ?/;
// VERSION is read before; HOSTNAME APP-NAME PROCID MSGID.
const rfc5424Head = /^ (\S{1,255}) (\S{1,128}) (\S{1,128}) (\S{1,128}) /;
const kernelClock = /^\[ *\d+\.\d+\] /;

/**
 * Syslog as RFC 3164 (`Nov 30 12:00:00 host app[1]: message`, with or without `<priority>`, also
 * with an ISO time, as rsyslog and `journalctl` write it) and RFC 5424
 * (`<165>1 2026-11-30T12:00:00Z host app 1 ID47 [sd] message`). Files usually lack the priority:
 * then a level at the start of the message counts, or the words in it, and otherwise it is `info`.
 */
export const syslog: LogFormat = {
  name: "syslog",
  isMultiline: false,
  createParser: ({ modifiedAt }: FileFacts): LineParser => ({
    parse: (line) => parseSyslogLine(line, modifiedAt),
  }),
};

function parseSyslogLine(line: string, modifiedAt: number): LogLine | null {
  const priority = line.charCodeAt(0) === 60 ? priorityHead.exec(line) : null;
  const start = priority ? priority[0].length : 0;
  const level = priority ? levelOfSeverity(Number(priority[1]) % 8) : null;
  if (priority && line.startsWith("1 ", start)) return parseRfc5424(line, start + 2, level);

  const hasIsoTime = line.charCodeAt(start + 10) === 84;
  const time = hasIsoTime ? readIsoTime(line, start) : readSyslogTime(line, start, modifiedAt);
  if (!time) return null;
  const head = traditionalHead.exec(line.slice(time.end, time.end + 520));
  if (!head) return null;
  // "2026-11-30T12:00:00Z ERROR db: gone" has a level where a host would be.
  if (hasIsoTime && (isLevel(head[1] as string) || isLevel(head[2] as string))) return null;
  const message = line.slice(time.end + head[0].length);
  return eventOf(level, time, head[2] as string, message);
}

function parseRfc5424(line: string, start: number, level: LogLevel | null): LogLine | null {
  const time = line.startsWith("-", start)
    ? { at: null, end: start + 1 }
    : readIsoTime(line, start);
  if (!time) return null;
  const head = rfc5424Head.exec(line.slice(time.end, time.end + 660));
  if (!head) return null;
  const message = line.slice(endOfStructuredData(line, time.end + head[0].length)).trimStart();
  // RFC 5424 lets a message say with a byte order mark that it is UTF-8.
  const text = message.charCodeAt(0) === 0xfeff ? message.slice(1) : message;
  return eventOf(level, time, head[2] as string, text);
}

/** Index after the structured data at `start`: `-`, or `[id name="value"]` any number of times. */
function endOfStructuredData(line: string, start: number): number {
  if (line[start] === "-") return start + 1;
  let i = start;
  let isQuoted = false;
  for (; i < line.length; i++) {
    const char = line[i];
    if (char === "\\") i++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === "]" && !isQuoted && line[i + 1] !== "[") return i + 1;
  }
  return start;
}

function eventOf(
  level: LogLevel | null,
  time: FoundTime | { at: null },
  source: string,
  text: string,
): LogLine {
  const message = source === "kernel" ? text.replace(kernelClock, "") : text;
  return {
    level: level ?? leadingLevel(message) ?? guessLevel(message) ?? "info",
    at: time.at,
    message,
    source,
  };
}

function isLevel(word: string): boolean {
  return word.length > 1 && levelNamed(word) !== null;
}

/** The level in `error: …`, `[warning] …` or `<info> …` at the start of a message. */
function leadingLevel(message: string): LogLevel | null {
  const word = /^(?:([A-Za-z]{2,13}): |[[<]\s?([A-Za-z]{2,13})\s?[\]>])/.exec(message);
  return word ? levelNamed((word[1] ?? word[2]) as string) : null;
}
