/** Called with each line, without its line end, and whether its end was cut off. */
export type OnLine = (line: string, isCut: boolean) => void;

/** Cuts text that comes in blocks into lines, keeping at most `maxLineLength` of an unfinished one. */
export class LineSplitter {
  readonly #onLine: OnLine;
  readonly #maxLineLength: number;
  #rest = "";
  #isCut = false;

  constructor(onLine: OnLine, maxLineLength = 262_144) {
    this.#onLine = onLine;
    this.#maxLineLength = maxLineLength;
  }

  push(block: string): void {
    let start = 0;
    for (let end = block.indexOf("\n"); end >= 0; end = block.indexOf("\n", start)) {
      if (this.#rest === "") this.#emit(block.slice(start, end));
      else {
        this.#keep(block.slice(start, end));
        this.#emit(this.#rest);
        this.#rest = "";
      }
      start = end + 1;
    }
    if (start < block.length) this.#keep(block.slice(start));
  }

  /** Hands over the last line, which may lack a line end. */
  end(): void {
    if (this.#rest !== "") this.#emit(this.#rest);
    this.#rest = "";
  }

  #keep(part: string): void {
    const room = this.#maxLineLength - this.#rest.length;
    if (part.length > room) this.#isCut = true;
    this.#rest += part.slice(0, room);
  }

  #emit(line: string): void {
    const isTooLong = line.length > this.#maxLineLength;
    const kept = isTooLong ? line.slice(0, this.#maxLineLength) : line;
    const isCut = this.#isCut || isTooLong;
    this.#isCut = false;
    this.#onLine(kept.endsWith("\r") ? kept.slice(0, -1) : kept, isCut);
  }
}
