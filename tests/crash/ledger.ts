import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";

/** What a handler of the crash test did or was told, in the order it happened. */
export type LedgerLine = { taskId: string } & (
  | { kind: "began"; attempt: number }
  /** The function of a step ran; what it gave back has this number, used once. */
  | { kind: "ran"; step: string; value: string }
  /** `ctx.step` resolved: the step is recorded, or was. */
  | { kind: "got"; step: string; value: string }
  /** `ctx.update` resolved. */
  | { kind: "posted"; message: string }
  | { kind: "heard"; key: string; questionId: string; outcome: string; answer: unknown }
  | { kind: "slept"; key: string; atMillis: number }
  /** Works under a concurrency key from here on. */
  | { kind: "entered"; key: string }
);

/**
 * A file that only grows, outside the database and outside its transactions: what is written here
 * stays written, whatever becomes of the process or of the commit that should have recorded it.
 */
export class Ledger {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, "a");
  }

  write(line: LedgerLine): void {
    // One system call a line, so that a kill never leaves half of one.
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}

export function readLedger(path: string): LedgerLine[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as LedgerLine);
}
