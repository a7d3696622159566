import type { LineParser, LogFormat, LogLine } from "../log-format.ts";
import { readIsoTime } from "../log-time.ts";

const actions = new Set([
  "startup",
  "install",
  "upgrade",
  "configure",
  "trigproc",
  "remove",
  "purge",
  "disappear",
  "status",
  "conffile",
]);

// Far more packages than one run of dpkg leaves unfinished, and little memory.
const maxUnfinished = 10_000;

interface Unfinished {
  state: string;
  at: number;
  text: string;
  lineNumber: number;
}

/**
 * dpkg.log: `2026-11-30 12:00:00 status installed curl:amd64 7.88.1-10`. The log names no levels.
 * What it tells of failures is a package whose last status is `half-installed` or
 * `half-configured` (an error) or `unpacked` or waiting for triggers (a warning).
 */
export const dpkgLog: LogFormat = {
  name: "dpkg",
  isMultiline: false,
  createParser: () => new DpkgParser(),
};

class DpkgParser implements LineParser {
  readonly #unfinished = new Map<string, Unfinished>();

  parse(line: string, lineNumber: number): LogLine | null {
    const time = readIsoTime(line, 0);
    if (time?.end !== 19) return null;
    const message = line.slice(20);
    const [action = "", first = "", second = ""] = message.split(" ", 3);
    if (!actions.has(action) || first === "") return null;
    if (action === "status") this.#note(second, first, { at: time.at, text: line, lineNumber });
    return { level: "info", at: time.at, message, template: templateOf(action, first) };
  }

  atEnd() {
    return [...this.#unfinished].map(([name, { state, at, text, lineNumber }]) => {
      const message = `${name} was left ${state}`;
      const level = state.startsWith("half-") ? ("error" as const) : ("warning" as const);
      return { line: { level, at, message, template: message }, text, lineNumber };
    });
  }

  #note(name: string, state: string, where: Omit<Unfinished, "state">): void {
    this.#unfinished.delete(name);
    const isFinished = !/^(half-|unpacked|triggers-)/.test(state);
    if (isFinished || this.#unfinished.size >= maxUnfinished) return;
    // A slice would keep the whole block it was read from in memory.
    const text = Buffer.from(where.text).toString();
    const key = Buffer.from(name).toString();
    this.#unfinished.set(key, { ...where, text, state: Buffer.from(state).toString() });
  }
}

function templateOf(action: string, first: string): string {
  if (action === "startup") return `startup ${first}`;
  if (action === "status") return `status ${first} <package>`;
  return action === "conffile" ? "conffile <path>" : `${action} <package>`;
}
