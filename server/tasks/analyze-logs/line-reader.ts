import { allFormats } from "./formats/all-formats.ts";
import type { FileFacts, FormatName, LineParser, LogFormat, LogLine } from "./log-format.ts";

interface Reader {
  format: LogFormat;
  parser: LineParser;
  lines: number;
}

/**
 * Reads the lines of one file, whose format it finds out from a sample. A line of another format is
 * read by whichever accepts it, so files in which several programs write are read too.
 */
export class LineReader {
  readonly #readers: Reader[];
  #main: Reader;
  #isMultiline = false;

  /** @param sample the first lines of the file. */
  constructor(facts: FileFacts, sample: readonly string[]) {
    this.#readers = allFormats.map((format) => ({
      format,
      parser: format.createParser(facts),
      lines: 0,
    }));
    this.#main = this.#detect(facts, sample);
  }

  /** Whether lines that do not parse belong to the event before them. */
  get isMultiline(): boolean {
    return this.#isMultiline;
  }

  /** Lines read by each format, most first. */
  get formats(): { name: FormatName; lines: number }[] {
    return this.#readers
      .filter(({ lines }) => lines > 0)
      .map(({ format, lines }) => ({ name: format.name, lines }))
      .sort((a, b) => b.lines - a.lines);
  }

  /** null when no format accepts the line. */
  read(line: string, lineNumber: number): LogLine | null {
    const found = this.#main.parser.parse(line, lineNumber);
    if (found) {
      this.#main.lines++;
      return found;
    }
    for (const reader of this.#readers) {
      if (reader === this.#main) continue;
      const other = reader.parser.parse(line, lineNumber);
      if (!other) continue;
      reader.lines++;
      return other;
    }
    return null;
  }

  /** What the formats tell only at the end of the file. */
  atEnd() {
    return this.#readers.flatMap(({ parser }) => parser.atEnd?.() ?? []);
  }

  #detect(facts: FileFacts, sample: readonly string[]): Reader {
    let best = this.#readers.at(-1) as Reader;
    let bestLines = 0;
    for (const reader of this.#readers) {
      // Parsers remember what they read, so the sample goes through others of the same kind.
      const parser = reader.format.createParser(facts);
      const lines = sample.filter((line, i) => parser.parse(line, i + 1) !== null).length;
      if (lines > bestLines) {
        best = reader;
        bestLines = lines;
      }
    }
    // Where hardly a line begins an event, the others are no part of one: the format is unknown.
    const starts = sample.filter((line) => /^\S/.test(line)).length;
    this.#isMultiline = best.format.isMultiline && bestLines * 10 >= Math.max(1, starts);
    return best;
  }
}
