import type { TaskContext } from "../../core/task-context.ts";
import type { ReadProgress } from "./analyze-file.ts";
import { counted } from "./choose-groups.ts";
import type { FileAnalysis } from "./file-analysis.ts";
import { shown } from "./file-refusal.ts";
import type { LogFile } from "./log-file.ts";

// Progress is for eyes; and every tenth of the way is worth a line in the timeline.
const reportEveryMs = 200;
const messageEveryPercent = 10;

/** Tells how far the analysis of all files together is, in bytes and percent. */
export class AnalysisProgress {
  readonly #ctx: TaskContext;
  readonly #files: readonly LogFile[];
  readonly #total: number;
  #doneBefore = 0;
  #reportedAt = 0;
  #message: string | undefined;
  #nextPercent = messageEveryPercent;

  constructor(ctx: TaskContext, files: readonly LogFile[]) {
    this.#ctx = ctx;
    this.#files = files;
    this.#total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  begin(): void {
    this.#ctx.update(
      `Analyzing ${counted(this.#files.length, "log file")} (${size(this.#total)})…`,
    );
  }

  /** Called often while a file is read. */
  reading(file: LogFile, { bytesRead, lines, errors }: ReadProgress): void {
    const now = performance.now();
    if (now - this.#reportedAt < reportEveryMs) return;
    this.#reportedAt = now;
    const done = this.#doneBefore + bytesRead;
    const percent = this.#percent(done);
    // Of a file that is read in one go only the end is told.
    if (percent >= this.#nextPercent && bytesRead < file.bytes) {
      this.#passed(percent);
      this.#message =
        `${percent}%: reading ${this.#place(file)}, ` +
        `${counted(lines, "line")}, ${counted(errors, "error")} so far`;
    }
    this.#ctx.progress(done, this.#total, this.#message, { unit: "bytes" });
  }

  /** Called after each file, also when its analysis was recorded by an earlier attempt. */
  finished(file: LogFile, analysis: FileAnalysis): void {
    const { lines, countsByLevel, format, problem } = analysis;
    this.#doneBefore += file.bytes;
    const percent = this.#percent(this.#doneBefore);
    this.#passed(percent);
    const found = [
      format ?? "unknown format",
      counted(lines, "line"),
      counted(countsByLevel.error, "error"),
      counted(countsByLevel.warning, "warning"),
    ];
    const what = lines > 0 ? found.join(", ") : problem ? "nothing could be read" : "empty";
    this.#message = `${percent}%: ${this.#place(file)}, ${what}`;
    this.#ctx.progress(this.#doneBefore, this.#total, this.#message, { unit: "bytes" });
    if (problem) this.#ctx.update(`${problem} What was read before counts.`, "warning");
  }

  #passed(percent: number): void {
    this.#nextPercent = Math.floor(percent / messageEveryPercent + 1) * messageEveryPercent;
  }

  #percent(done: number): number {
    return this.#total === 0 ? 100 : Math.min(100, Math.floor((done / this.#total) * 100));
  }

  #place(file: LogFile): string {
    const name = shown(file.name);
    const { length } = this.#files;
    return length === 1 ? name : `${name} (${this.#files.indexOf(file) + 1}/${length})`;
  }
}

/** `340 bytes`, `1.2 MB`. */
function size(bytes: number): string {
  const units = ["kB", "MB", "GB", "TB"];
  if (bytes < 1000) return counted(bytes, "byte");
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}
