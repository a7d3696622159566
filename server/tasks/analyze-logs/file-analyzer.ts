import type { FileAnalysis } from "./file-analysis.ts";
import { LineReader } from "./line-reader.ts";
import type { FileFacts, LogLine } from "./log-format.ts";
import { guessLevel, type LogLevel, noCounts } from "./log-level.ts";
import { MessageGroups, widen } from "./message-groups.ts";
import { templateOf } from "./message-template.ts";
import { RateSeries } from "./rate-series.ts";

// What a file is recognised by.
const sampleLines = 200;
const sampleChars = 65_536;
// What of a stack trace is kept as an example.
const keptFollowers = 12;
// Of every level, so that a file's analysis stays small enough to be journaled.
const keptGroups: Record<LogLevel, number> = {
  error: 100,
  warning: 100,
  info: 50,
  debug: 20,
  unknown: 50,
};
const rateSpans = 120;

// "java.net.ConnectException: refused", "Caused by:" left out; "ValueError: bad" ends Python's.
const exceptionLine = /^([A-Za-z_][\w.$]{0,150}(?:Exception|Error|Failure|Fault|Throwable))(?::|$)/;

interface Pending {
  line: LogLine;
  text: string;
  lineNumber: number;
  followers: string[];
  exception: string | null;
}

/** Counts the lines of one file in bounded memory, as they come. */
export class FileAnalyzer {
  readonly #facts: FileFacts;
  readonly #groups = new MessageGroups();
  readonly #rates = new RateSeries();
  readonly #counts = noCounts();
  readonly #span: { firstAt: number | null; lastAt: number | null } = {
    firstAt: null,
    lastAt: null,
  };
  #sample: { line: string; isCut: boolean }[] = [];
  #sampledChars = 0;
  #reader: LineReader | null = null;
  #pending: Pending | null = null;
  #lines = 0;
  #events = 0;
  #unrecognizedLines = 0;
  #cutLines = 0;

  constructor(facts: FileFacts) {
    this.#facts = facts;
  }

  /** Lines and errors so far, for progress. */
  get soFar(): { lines: number; errors: number } {
    return { lines: this.#lines + this.#sample.length, errors: this.#counts.error };
  }

  addLine(line: string, isCut: boolean): void {
    if (this.#reader) {
      this.#read(this.#reader, line, isCut);
      return;
    }
    this.#sample.push({ line, isCut });
    this.#sampledChars += line.length;
    if (this.#sample.length >= sampleLines || this.#sampledChars >= sampleChars) this.#readSample();
  }

  /** Ends the file. */
  finish(about: Pick<FileAnalysis, "file" | "bytes" | "isCompressed" | "problem">): FileAnalysis {
    const reader = this.#reader ?? this.#readSample();
    this.#settle();
    for (const { line, text, lineNumber } of reader.atEnd()) {
      this.#count(line);
      this.#group({ line, text, lineNumber, followers: [], exception: null });
    }
    const { formats } = reader;
    const levels = Object.keys(keptGroups) as LogLevel[];
    return {
      ...about,
      lines: this.#lines,
      events: this.#events,
      format: formats[0]?.name ?? null,
      formats,
      unrecognizedLines: this.#unrecognizedLines,
      cutLines: this.#cutLines,
      countsByLevel: { ...this.#counts },
      ...this.#span,
      rates: this.#rates.toRates(rateSpans),
      groups: levels.flatMap((level) => this.#groups.top(level, keptGroups[level])),
      groupCount: this.#groups.size,
      ungroupedEvents: this.#groups.droppedMessages,
    };
  }

  #readSample(): LineReader {
    const sample = this.#sample;
    const reader = new LineReader(
      this.#facts,
      sample.map(({ line }) => line),
    );
    this.#reader = reader;
    this.#sample = [];
    for (const { line, isCut } of sample) this.#read(reader, line, isCut);
    return reader;
  }

  #read(reader: LineReader, text: string, isCut: boolean): void {
    const lineNumber = ++this.#lines;
    if (isCut) this.#cutLines++;
    if (text.trim() === "") return;
    const pending = this.#pending;
    const isIndented = text.charCodeAt(0) === 32 || text.charCodeAt(0) === 9;
    const isPart = isIndented && reader.isMultiline;
    const line = pending && isPart ? null : reader.read(text, lineNumber);
    if (line && !(line.isContinuation && pending)) {
      this.#begin(line, text, lineNumber);
    } else if (pending && (line || isIndented || belongsTo(pending, text, reader))) {
      this.#follow(pending, text);
    } else {
      this.#unrecognizedLines++;
      const level = guessLevel(text) ?? "unknown";
      this.#begin({ level, at: null, message: text }, text, lineNumber);
    }
  }

  #begin(line: LogLine, text: string, lineNumber: number): void {
    this.#settle();
    this.#count(line);
    this.#pending = { line, text, lineNumber, followers: [], exception: null };
  }

  #follow(pending: Pending, text: string): void {
    pending.exception ??= exceptionLine.exec(text)?.[1] ?? null;
    if (pending.followers.length < keptFollowers) pending.followers.push(text);
  }

  #count({ level, at }: LogLine): void {
    this.#events++;
    this.#counts[level]++;
    if (at === null) return;
    this.#rates.add(at, level);
    widen(this.#span, at, at);
  }

  /** Groups the event whose last line has been read: only now its exception is known. */
  #settle(): void {
    if (this.#pending) this.#group(this.#pending);
    this.#pending = null;
  }

  #group({ line, text, lineNumber, followers, exception }: Pending): void {
    const { level, at, message, source } = line;
    const body = line.template ?? templateOf(message);
    const named = source ? `${source}: ${body}` : body;
    this.#groups.add({
      level,
      at,
      lineNumber,
      template: exception && !message.includes(exception) ? `${named} (${exception})` : named,
      exampleText: () => [text, ...followers].join("\n"),
    });
  }
}

/**
 * Whether a line that fits no format continues the event before it. One that speaks of an error
 * does not continue a harmless event: it is a crash report that was written into the log.
 */
function belongsTo({ line }: Pending, text: string, reader: LineReader): boolean {
  if (!reader.isMultiline) return false;
  const isSerious = line.level === "error" || line.level === "warning";
  return isSerious || guessLevel(text) !== "error";
}
