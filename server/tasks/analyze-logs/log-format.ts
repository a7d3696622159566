import type { LogLevel } from "./log-level.ts";

export type FormatName = "json" | "access" | "web-error" | "syslog" | "dpkg" | "log4j" | "plain";

/** What a format makes of one line. */
export interface LogLine {
  level: LogLevel;
  /** Milliseconds since 1970 UTC; null when the line has no time or half of one. */
  at: number | null;
  /** The part that says what happened. */
  message: string;
  /** What lines of the same kind have in common, where the format knows better than the rule. */
  template?: string;
  /** The program the line is from, where one file holds several; kept apart in groups. */
  source?: string;
  /** It only adds to the event before it, such as a DETAIL line of PostgreSQL. */
  isContinuation?: boolean;
}

/** What is known of a file before its first line is read. */
export interface FileFacts {
  /** Milliseconds since 1970 when the file was written last; it tells the year of syslog times. */
  modifiedAt: number;
}

/** Reads the lines of one file; made anew for each, so it may remember things. */
export interface LineParser {
  /** null when the line is not of this format. Time must be linear in the line's length. */
  parse(line: string, lineNumber: number): LogLine | null;
  /** What only the whole file tells, with the line each finding stands at. */
  atEnd?(): { line: LogLine; text: string; lineNumber: number }[];
}

export interface LogFormat {
  name: FormatName;
  /** Whether lines that do not parse belong to the event before them, as stack traces do. */
  isMultiline: boolean;
  createParser(facts: FileFacts): LineParser;
}
