/** How serious a log line is; the levels of all formats map to these, most serious first. */
export const logLevels = ["error", "warning", "info", "debug", "unknown"] as const;
export type LogLevel = (typeof logLevels)[number];

export type LevelCounts = Record<LogLevel, number>;

export function noCounts(): LevelCounts {
  return { error: 0, warning: 0, info: 0, debug: 0, unknown: 0 };
}

export function addCounts(to: LevelCounts, from: LevelCounts): void {
  for (const level of logLevels) to[level] += from[level];
}

/** True when `level` is at least as serious as `least`. */
export function isAtLeast(level: LogLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) <= logLevels.indexOf(least);
}

const names: Record<LogLevel, string> = {
  error: "error err severe fatal crit critical alert emerg emergency panic e f",
  warning: "warn warning warnings wrn w",
  info: "info information informational inf notice note log i n",
  debug:
    "debug dbg trace trc fine finer finest verbose config silly d t v debug1 debug2 debug3 debug4 debug5 d1 d2 d3 d4 d5",
  unknown: "",
};

const byName = new Map<string, LogLevel>();
for (const level of logLevels) {
  for (const name of names[level].split(" ")) if (name !== "") byName.set(name, level);
}

/** The level a word such as `WARN` or `notice` names; null when it names none. */
export function levelNamed(word: string): LogLevel | null {
  // The longest names have 13 letters; a longer word need not be looked up.
  return word.length > 13 ? null : (byName.get(word.toLowerCase()) ?? null);
}

/** Of syslog: 0 (emergency) to 7 (debug). */
export function levelOfSeverity(severity: number): LogLevel {
  if (severity <= 3) return "error";
  if (severity === 4) return "warning";
  return severity <= 6 ? "info" : "debug";
}

/** Of a JSON line: pino's and bunyan's tens (10 to 60), or a syslog severity below 10. */
export function levelOfNumber(level: number): LogLevel {
  if (level < 10) return levelOfSeverity(level);
  if (level >= 50) return "error";
  if (level >= 40) return "warning";
  return level >= 30 ? "info" : "debug";
}

// "no errors", "0 failed" and "errors=0" say that all is well; "liberror-perl", "/error/" and
// "error.html" are names.
const errorWords =
  /(?<![\w./-])(?<!\b(?:no|0|without|zero) )(?:errors?|failed|failure|fatal|panic|critical|segfault|out of memory|uncaught|unhandled|traceback|exception)(?![\w/-]|\.\w|["']?\s?[=:]\s?(?:0|none|null|false)\b)/i;
const errorNames = /[a-z](?:Error|Exception)\b(?![=:]\s?(?:0|null|none)\b)/;
const warningWords =
  /(?<![\w./-])(?:warn|warning|deprecated|timed out|timeout|retrying)(?![\w/-]|\.\w)/i;

/** Guesses the level of a text that names none by the words in it; null when none stands out. */
export function guessLevel(text: string): "error" | "warning" | null {
  const start = text.length > 300 ? text.slice(0, 300) : text;
  if (errorWords.test(start) || errorNames.test(start)) return "error";
  return warningWords.test(start) ? "warning" : null;
}
