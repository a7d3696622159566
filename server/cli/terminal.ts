import { stripVTControlCharacters, styleText } from "node:util";
import { beginningOf } from "../core/beginning-of.ts";

type Style = Parameters<typeof styleText>[0];

/** Where a command writes to: for people, or as JSON for programs. */
export class Terminal {
  readonly isJson: boolean;
  readonly #hasColour: boolean;

  constructor(options: { isJson: boolean; hasColour: boolean }) {
    this.isJson = options.isJson;
    this.#hasColour = options.hasColour && !options.isJson;
  }

  /** From now on the program goes on when what it writes reaches nobody. */
  outliveReaders(): void {
    process.stdout.removeAllListeners("error").on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") this.note(unwritten(error));
    });
  }

  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** One value: as one line of JSON, or in the words for people. */
  tell(value: unknown, words: () => string): void {
    this.line(this.isJson ? JSON.stringify(value) : words());
  }

  /** A note that is no output: a program that reads the output is not to see it. */
  note(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  styled(style: Style, text: string): string {
    return this.#hasColour ? styleText(style, text) : text;
  }

  table(rows: readonly (readonly string[])[]): string {
    const widths = (rows[0] ?? []).map((_, i) =>
      Math.max(...rows.map((row) => (row[i] ?? "").length)),
    );
    return rows
      .map((row, at) => {
        const cells = row.map((cell, i) =>
          i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0),
        );
        const text = cells.join("  ").trimEnd();
        return at === 0 ? this.styled("dim", text) : text;
      })
      .join("\n");
  }
}

/** What is said when the output is lost, as on a full disk. */
export function unwritten(error: Error): string {
  return `toolthread: the output cannot be written: ${error.message}`;
}

// Controls could move the cursor or hide what is written: texts of tasks are somebody else's.
const controls = /(?![\t\n])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Somebody else's text, harmless to a terminal. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(controls, "");
}

/** The same on one line, and no longer than this. */
export function oneLine(text: string, most = 60): string {
  return shortened(plainText(text).replace(/\s+/g, " ").trim(), most);
}

/** At most this many characters, with a sign where something is left out. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${beginningOf(text, most - 1)}…` : text;
}
