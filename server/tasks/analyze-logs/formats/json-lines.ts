import type { LineParser, LogFormat, LogLine } from "../log-format.ts";
import { guessLevel, type LogLevel, levelNamed, levelOfNumber } from "../log-level.ts";
import { plausible, readIsoTime, timeOfNumber } from "../log-time.ts";

type Fields = Record<string, unknown>;

const levelKeys = ["level", "severity", "lvl", "log.level", "levelname", "loglevel", "@l"];
const messageKeys = ["msg", "message", "MESSAGE", "event", "log", "text", "body", "@m", "@mt"];
const timeKeys = [
  "time",
  "timestamp",
  "ts",
  "@timestamp",
  "@t",
  "t",
  "date",
  "datetime",
  "__REALTIME_TIMESTAMP",
];
const sourceKeys = ["SYSLOG_IDENTIFIER", "service", "app"];

/**
 * One JSON object a line: pino, bunyan, winston, zap, structlog, Serilog, ECS, Google Cloud,
 * MongoDB, and what `journalctl -o json` exports.
 */
export const jsonLines: LogFormat = {
  name: "json",
  isMultiline: false,
  createParser: (): LineParser => ({ parse: parseJsonLine }),
};

function parseJsonLine(line: string): LogLine | null {
  if (line.charCodeAt(0) !== 123 && !/^\s*\{/.test(line)) return null;
  const fields = parseObject(line);
  if (!fields) return null;
  const message = messageOf(fields);
  const source = first(fields, sourceKeys);
  return {
    level: levelOf(fields) ?? guessLevel(message) ?? "unknown",
    at: timeOf(fields),
    message,
    source: typeof source === "string" ? source : undefined,
  };
}

function parseObject(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : null;
  } catch {
    return null;
  }
}

function levelOf(fields: Fields): LogLevel | null {
  const level = first(fields, levelKeys) ?? nested(fields, "log", "level");
  if (typeof level === "number") return levelOfNumber(level);
  if (typeof level === "string") {
    return /^\d{1,3}$/.test(level) ? levelOfNumber(Number(level)) : levelNamed(level);
  }
  // MongoDB's letters.
  if (typeof fields.s === "string") return levelNamed(fields.s);
  // journald's exports hold the severity as text, whichever program wrote the line.
  const priority = fields.PRIORITY;
  return priority === undefined ? null : levelOfNumber(Number(priority));
}

function messageOf(fields: Fields): string {
  const message = first(fields, messageKeys);
  const text = typeof message === "string" ? message : "";
  const error = errorOf(fields);
  if (error === null) return text || (message === undefined ? "(no message)" : compact(message));
  return text === "" || text === error ? error : `${text}: ${error}`;
}

/** The `err` or `error` that loggers put beside a message. */
function errorOf(fields: Fields): string | null {
  const error = fields.err ?? fields.error ?? fields.exception;
  if (typeof error === "string" && error !== "") return firstLine(error);
  if (typeof error !== "object" || error === null) return null;
  const { type, name, message } = error as Fields;
  const kind = typeof type === "string" ? type : name;
  const parts = [kind, message].filter((part) => typeof part === "string" && part !== "");
  return parts.length === 0 ? null : firstLine(parts.join(": "));
}

function timeOf(fields: Fields): number | null {
  const time = first(fields, timeKeys);
  if (typeof time === "number") return timeOfNumber(time);
  if (typeof time === "string") {
    const found = readIsoTime(time, 0);
    if (found) return found.at;
    return /^\d{9,19}(\.\d{1,9})?$/.test(time)
      ? timeOfNumber(Number(time))
      : plausible(Date.parse(time));
  }
  const date = nested(fields, "t", "$date");
  return typeof date === "string" ? (readIsoTime(date, 0)?.at ?? null) : null;
}

function first(fields: Fields, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = fields[key];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function nested(fields: Fields, key: string, inner: string): unknown {
  const value = fields[key];
  return typeof value === "object" && value !== null ? (value as Fields)[inner] : undefined;
}

function compact(value: unknown): string {
  return (JSON.stringify(value) ?? "").slice(0, 1000);
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}
