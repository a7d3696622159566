import { plainText, shortened } from "./terminal.ts";

export interface PostedLines {
  message: string;
  level: "info" | "warning";
}

const maxLineChars = 2000;
const maxMessageChars = 8000;
const maxWaitingLines = 2000;

/**
 * Posts lines in their order, one call at a time. What comes meanwhile goes into one update, as far as
 * it is of one level; when far too much waits, lines are left out, and an update says how many.
 */
export class LinePoster {
  readonly #post: (lines: PostedLines, sequence: number) => Promise<void>;
  #waiting: PostedLines[] = [];
  #leftOut = 0;
  #sequence = 0;
  #posting: Promise<void> | null = null;
  #error: unknown = null;

  constructor(post: (lines: PostedLines, sequence: number) => Promise<void>) {
    this.#post = post;
  }

  add(line: string, level: PostedLines["level"]): void {
    const text = plainText(line).trimEnd();
    if (text === "" || this.#error !== null) return;
    if (this.#waiting.length >= maxWaitingLines) {
      this.#leftOut += 1;
      return;
    }
    this.#waiting.push({ message: shortened(text, maxLineChars), level });
    this.#posting ??= this.#run();
  }

  /** Resolves when everything was posted. @throws what the last post threw. */
  async flush(): Promise<void> {
    await this.#posting;
    if (this.#error !== null) throw this.#error;
  }

  async #run(): Promise<void> {
    // Lines that come together are posted together.
    await new Promise((resolve) => setTimeout(resolve, 20));
    try {
      while (this.#waiting.length > 0) {
        this.#sequence += 1;
        await this.#post(this.#next(), this.#sequence);
        if (this.#waiting.length === 0 && this.#leftOut > 0) this.#tellLeftOut();
      }
    } catch (error) {
      this.#error = error;
      this.#waiting = [];
    } finally {
      this.#posting = null;
    }
  }

  #next(): PostedLines {
    const first = this.#waiting.shift() as PostedLines;
    let { message } = first;
    for (let next = this.#waiting[0]; next?.level === first.level; next = this.#waiting[0]) {
      if (message.length + next.message.length + 1 > maxMessageChars) break;
      message += `\n${next.message}`;
      this.#waiting.shift();
    }
    return { message, level: first.level };
  }

  #tellLeftOut(): void {
    const message = `${this.#leftOut} more lines of output came too fast and are left out here.`;
    this.#waiting.push({ message, level: "warning" });
    this.#leftOut = 0;
  }
}
