import type { FileAnalysis } from "./file-analysis.ts";
import type { FormatName } from "./log-format.ts";
import {
  addCounts,
  isAtLeast,
  type LevelCounts,
  type LogLevel,
  logLevels,
  noCounts,
} from "./log-level.ts";
import { timeText } from "./log-time.ts";
import { byCount, type MessageGroup, widen } from "./message-groups.ts";
import { RateSeries, withEmptySpans } from "./rate-series.ts";

const reportSpans = 60;

/** A group of all files together. */
export interface MergedGroup extends MessageGroup {
  /** Per file, in the order the files were named. */
  files: { file: string; count: number }[];
}

/**
 * The groups of several files as one list: most serious level first, then most frequent. Where a
 * message is among the most frequent of some files only, the others' count is not in its sum.
 */
export function mergeGroups(analyses: readonly FileAnalysis[]): MergedGroup[] {
  const merged = new Map<string, MergedGroup>();
  for (const { file, groups } of analyses) {
    for (const group of groups) {
      const { id, count, firstAt, lastAt } = group;
      const known = merged.get(id);
      if (!known) {
        merged.set(id, { ...group, files: [{ file, count }] });
        continue;
      }
      known.count += count;
      widen(known, firstAt, lastAt);
      known.files.push({ file, count });
    }
  }
  return [...merged.values()].sort(
    (a, b) => logLevels.indexOf(a.level) - logLevels.indexOf(b.level) || byCount(a, b),
  );
}

/** The groups of `least` and more serious levels. */
export function groupsFrom(groups: readonly MergedGroup[], least: LogLevel): MergedGroup[] {
  return groups.filter(({ level }) => isAtLeast(level, least));
}

/** How the groups of a report were chosen. */
export interface Selection {
  /**
   * `answered`: somebody chose. `default`: nobody answered in time, so all are in. `declined`:
   * somebody refused to choose, so none is. `not_asked`: all are in.
   */
  how: "answered" | "default" | "declined" | "not_asked";
  /** Name of whoever answered or declined. */
  by: string | null;
  declineReason: string | null;
  /** Groups there were to choose from. */
  offered: number;
  /** Ids of those chosen. */
  chosen: string[];
}

/** What `analyze_logs` returns. Times are ISO 8601 in UTC. */
export interface LogReport {
  filesProcessed: number;
  results: FileResult[];
  bytes: number;
  lines: number;
  events: number;
  countsByLevel: LevelCounts;
  firstAt: string | null;
  lastAt: string | null;
  /** Events over time; empty when no line has a time. */
  rates: {
    bucketSeconds: number;
    buckets: { at: string; total: number; error: number; warning: number }[];
  };
  selection: Selection;
  /** The chosen groups. */
  groups: GroupResult[];
}

interface FileResult {
  file: string;
  format: FormatName | "unknown" | "empty";
  /** Other formats found in the file. */
  alsoFormats: FormatName[];
  compressed: boolean;
  bytes: number;
  lines: number;
  events: number;
  errors: number;
  warnings: number;
  countsByLevel: LevelCounts;
  firstAt: string | null;
  lastAt: string | null;
  unrecognizedLines: number;
  cutLines: number;
  /** Distinct messages. */
  groups: number;
  /** Events left out of all groups, because the file has too many distinct messages. */
  ungroupedEvents: number;
  /** Why reading ended early; null when the file was read to its end. */
  problem: string | null;
}

export interface GroupResult {
  id: string;
  level: LogLevel;
  template: string;
  count: number;
  firstAt: string | null;
  lastAt: string | null;
  files: { file: string; count: number }[];
  example: { file: string; line: number; text: string };
}

export function buildReport(
  analyses: readonly FileAnalysis[],
  groups: readonly MergedGroup[],
  selection: Selection,
): LogReport {
  const countsByLevel = noCounts();
  const span = { firstAt: null as number | null, lastAt: null as number | null };
  const series = new RateSeries();
  for (const analysis of analyses) {
    addCounts(countsByLevel, analysis.countsByLevel);
    widen(span, analysis.firstAt, analysis.lastAt);
    series.addRates(analysis.rates);
  }
  const { bucketSeconds, buckets } = withEmptySpans(series.toRates(reportSpans));
  const chosen = new Set(selection.chosen);
  return {
    filesProcessed: analyses.length,
    results: analyses.map(toFileResult),
    bytes: sum(analyses, ({ bytes }) => bytes),
    lines: sum(analyses, ({ lines }) => lines),
    events: sum(analyses, ({ events }) => events),
    countsByLevel,
    firstAt: timeText(span.firstAt),
    lastAt: timeText(span.lastAt),
    rates: { bucketSeconds, buckets: buckets.map((one) => ({ ...one, at: timeText(one.at) })) },
    selection,
    groups: groups.filter(({ id }) => chosen.has(id)).map(toGroupResult),
  };
}

function toFileResult(analysis: FileAnalysis): FileResult {
  const { format, formats, countsByLevel, lines } = analysis;
  return {
    file: analysis.file,
    format: format ?? (lines === 0 ? "empty" : "unknown"),
    alsoFormats: formats.slice(1).map(({ name }) => name),
    compressed: analysis.isCompressed,
    bytes: analysis.bytes,
    lines,
    events: analysis.events,
    errors: countsByLevel.error,
    warnings: countsByLevel.warning,
    countsByLevel,
    firstAt: timeText(analysis.firstAt),
    lastAt: timeText(analysis.lastAt),
    unrecognizedLines: analysis.unrecognizedLines,
    cutLines: analysis.cutLines,
    groups: analysis.groupCount,
    ungroupedEvents: analysis.ungroupedEvents,
    problem: analysis.problem,
  };
}

/** How a group reads in a report and beside the question. */
export function toGroupResult(group: MergedGroup): GroupResult {
  const { id, level, template, count, files, example } = group;
  return {
    id,
    level,
    template,
    count,
    firstAt: timeText(group.firstAt),
    lastAt: timeText(group.lastAt),
    files,
    example: { file: files[0]?.file ?? "", line: example.lineNumber, text: example.text },
  };
}

function sum<T>(items: readonly T[], amountOf: (item: T) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
