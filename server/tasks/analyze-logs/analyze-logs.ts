import type { TaskContext } from "../../core/task-context.ts";
import type { TaskHandler, TaskTypeOptions } from "../../core/task-type.ts";
import { AnalysisProgress } from "./analysis-progress.ts";
import { analyzeFile } from "./analyze-file.ts";
import { type AnalyzeLogsParams, analyzeLogsParams } from "./analyze-logs-params.ts";
import { chooseGroups, counted } from "./choose-groups.ts";
import type { FileAnalysis } from "./file-analysis.ts";
import { refusal } from "./file-refusal.ts";
import { findLogFiles } from "./log-file.ts";
import { addCounts, noCounts } from "./log-level.ts";
import { buildReport, type LogReport, mergeGroups } from "./log-report.ts";

export const analyzeLogsOptions = {
  type: "analyze_logs",
  title: "Analyze logs",
  description:
    "Reads log files (syslog, JSON lines, nginx and Apache, log4j-like, dpkg, plain text with times and levels; also gzip), " +
    "counts messages by level and over time, groups repeated ones, asks which groups to report when there are errors, " +
    "and returns the report.",
  params: analyzeLogsParams,
} satisfies TaskTypeOptions;

/**
 * The handler of `analyze_logs`. Files are analysed one after the other, each in a step of its own,
 * so a resumed task does not read again what it has read.
 *
 * It fails with InvalidInput before reading anything when one of the files cannot be read. A file
 * that turns out to be damaged on the way is reported with what was read of it.
 *
 * @param filesRoot folder that all files must be in.
 */
export function analyzeLogs(filesRoot: string): TaskHandler<AnalyzeLogsParams> {
  return async (ctx: TaskContext, params: AnalyzeLogsParams): Promise<LogReport> => {
    const files = await ctx.step("find files", () => findLogFiles(filesRoot, params.files));
    const progress = new AnalysisProgress(ctx, files);
    progress.begin();

    const analyses: FileAnalysis[] = [];
    for (const file of files) {
      ctx.checkCancelled();
      const analysis = await ctx.step(
        "analyze file",
        () =>
          analyzeFile(file, ctx.signal, (read) => {
            ctx.checkCancelled();
            progress.reading(file, read);
          }),
        { key: file.name },
      );
      analyses.push(analysis);
      progress.finished(file, analysis);
    }
    requireContent(analyses);

    const counts = noCounts();
    for (const { countsByLevel } of analyses) addCounts(counts, countsByLevel);
    const groups = mergeGroups(analyses);
    const selection = await chooseGroups(ctx, groups, counts, params);
    ctx.update(
      `Analysis complete: ${counted(counts.error, "error")}, ${counted(counts.warning, "warning")}, ` +
        `${counted(selection.chosen.length, "group")} in the report.`,
    );
    return buildReport(analyses, groups, selection);
  };
}

/** @throws InvalidInput when there is nothing to report because every file is damaged. */
function requireContent(analyses: readonly FileAnalysis[]): void {
  const [first] = analyses;
  if (!first || analyses.some(({ problem, lines }) => problem === null || lines > 0)) return;
  throw refusal("damaged", first.file, analyses.map(({ problem }) => problem).join(" "));
}
