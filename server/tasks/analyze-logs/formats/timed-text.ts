import type { LineParser, LogFormat, LogLine } from "../log-format.ts";
import { guessLevel, type LogLevel, levelNamed } from "../log-level.ts";
import { readClock, readIsoTime } from "../log-time.ts";

/**
 * Layouts of log4j, logback, Spring Boot and Python's logging: a time, a level and, in either
 * order, a thread in brackets or a logger's name:
 * `2026-11-30 12:00:00,123 ERROR [main] com.example.App - message`. Stack traces belong to the
 * line before them.
 */
export const log4j: LogFormat = {
  name: "log4j",
  isMultiline: true,
  createParser: (): LineParser => ({
    parse(line) {
      const found = parseTimedText(line);
      return found?.isLog4j ? found.line : null;
    },
  }),
};

/**
 * `TIME LEVEL message` in its many spellings, with or without brackets, PostgreSQL's and MySQL's
 * logs among them, and `LEVEL: message` without a time. Further lines belong to the one before.
 */
export const plain: LogFormat = {
  name: "plain",
  isMultiline: true,
  createParser: () => new PlainParser(),
};

class PlainParser implements LineParser {
  #hasTimes = false;

  parse(line: string): LogLine | null {
    const found = parseTimedText(line);
    if (found) {
      this.#hasTimes = true;
      return found.line;
    }
    return parseUntimed(line, this.#hasTimes);
  }
}

/** Between a time and the message stand at most so many words and brackets with the level. */
const maxHeadWords = 6;
const clearLevels = new Set(
  "error err warn warning info debug trace fatal critical notice".split(" "),
);
// What PostgreSQL adds to a message on lines of their own.
const additions = new Set(["DETAIL", "HINT", "STATEMENT", "CONTEXT", "QUERY", "LOCATION"]);

// After the level: Spring's process id and dashes, threads, and then a logger's name set off by a
// dash, or by a colon if it has dots, as class names do.
const threads = /^(?:\d{1,10} +--- +)?(?:\[[^\]]{0,100}\] *){1,3}/;
const logger = /^(?:[\w$.:/-]{1,200} +-|[\w$-]{1,100}\.[\w$.:-]{1,200} *:) +/;
const separators = /^[\s:|\]>-]+/;

interface TimedText {
  line: LogLine;
  isLog4j: boolean;
}

function parseTimedText(line: string): TimedText | null {
  const start = line.charCodeAt(0) === 91 ? 1 : 0;
  const full = readIsoTime(line, start);
  const time = full ?? readClock(line, start);
  if (!time) return null;
  const at = full ? full.at : null;
  const end = line.charCodeAt(time.end) === 93 ? time.end + 1 : time.end;
  const next = line.charCodeAt(end);
  // "2026-11-30 12:00:00x" is no time.
  if (next !== 32 && next !== 9 && next !== 124 && next !== 58 && next !== 44) return null;

  const head = findLevel(line, end);
  if (!head) {
    const message = line.slice(end).replace(separators, "");
    const level = guessLevel(message) ?? "unknown";
    return { line: { level, at, message }, isLog4j: false };
  }
  const { level, isContinuation } = head;
  const rest = line.slice(head.end).replace(separators, "");
  if (head.isBracketed || isContinuation) {
    return { line: { level, at, message: rest, isContinuation }, isLog4j: false };
  }
  const threadPart = threads.exec(rest)?.[0] ?? "";
  const loggerPart = logger.exec(rest.slice(threadPart.length))?.[0] ?? "";
  const message = rest.slice(threadPart.length + loggerPart.length).replace(separators, "");
  const isLog4j = head.hasThread || threadPart !== "" || loggerPart !== "";
  return { line: { level, at, message }, isLog4j };
}

interface Head {
  level: LogLevel;
  end: number;
  isBracketed: boolean;
  /** A thread or a logger stood before the level. */
  hasThread: boolean;
  isContinuation?: boolean;
}

/** Looks for the level among the first words and brackets from `start`. */
function findLevel(line: string, start: number): Head | null {
  let hasThread = false;
  let i = start;
  for (let count = 0; count < maxHeadWords; count++) {
    while (isSpaceOrBar(line.charCodeAt(i))) i++;
    if (i >= line.length) return null;
    const isBracketed = line.charCodeAt(i) === 91;
    const end = isBracketed ? line.indexOf("]", i) : endOfWord(line, i);
    if (end < 0 || end - i > 120) return null;
    const word = line.slice(isBracketed ? i + 1 : i, end).trim();
    const level = wordLevel(word, isBracketed, count === 0);
    if (level) return { level, end: isBracketed ? end + 1 : end, isBracketed, hasThread };
    if (additions.has(word) && line.charCodeAt(end) === 58) {
      return { level: "unknown", end, isBracketed, hasThread, isContinuation: true };
    }
    hasThread ||= (isBracketed && !/^\d*$/.test(word)) || word === "-";
    i = isBracketed ? end + 1 : Math.max(end, i + 1);
  }
  return null;
}

/** Lower case counts only in brackets or right after the time: elsewhere it is part of a sentence. */
function wordLevel(word: string, isBracketed: boolean, isFirst: boolean): LogLevel | null {
  const level = word.length > 1 ? levelNamed(word) : null;
  if (!level || isBracketed || word === word.toUpperCase()) return level;
  return isFirst && clearLevels.has(word.toLowerCase()) ? level : null;
}

function isSpaceOrBar(code: number): boolean {
  return code === 32 || code === 9 || code === 124;
}

/** Index of the first character that ends a word: white space, a colon before one, a bar, `]`. */
function endOfWord(line: string, start: number): number {
  for (let i = start; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (isSpaceOrBar(code) || code === 93) return i;
    if (code === 58 && (i + 1 === line.length || isSpaceOrBar(line.charCodeAt(i + 1)))) return i;
  }
  return line.length;
}

const untimedLevel = /^(?:\[ ?([A-Za-z]{3,13}) ?\]:?|([A-Za-z]{3,13}):|([A-Z]{3,13})) +/;

/** `ERROR: message`, `[warn] message`, `INFO message`. */
function parseUntimed(line: string, hasTimes: boolean): LogLine | null {
  const head = untimedLevel.exec(line);
  if (!head) return null;
  const word = (head[1] ?? head[2] ?? head[3]) as string;
  // Beside timed lines, "Error: reason" is the beginning of a stack trace.
  if (hasTimes && word !== word.toUpperCase()) return null;
  const level = levelNamed(word);
  return level && { level, at: null, message: line.slice(head[0].length) };
}
