import { beginningOf } from "../../core/beginning-of.ts";
import type { TaskContext } from "../../core/task-context.ts";
import type { Choice } from "../../core/task-question.ts";
import type { AnalyzeLogsParams } from "./analyze-logs-params.ts";
import type { LevelCounts } from "./log-level.ts";
import { groupsFrom, type MergedGroup, type Selection, toGroupResult } from "./log-report.ts";

const all = "all";
const none = "none";

/**
 * Lets a person choose which groups go into the report, if the parameters say so; all of them when
 * nobody answers in time.
 *
 * @throws TaskCancelled when the task is cancelled meanwhile.
 */
export async function chooseGroups(
  ctx: TaskContext,
  groups: readonly MergedGroup[],
  counts: LevelCounts,
  params: AnalyzeLogsParams,
): Promise<Selection> {
  const serious = groupsFrom(groups, params.minLevel);
  const isAsked = params.ask === "always" || (params.ask === "onErrors" && counts.error > 0);
  // Whoever wants to be asked in any case is asked about whatever there is.
  const candidates = serious.length === 0 && params.ask === "always" ? groups : serious;
  const offered = candidates.slice(0, params.maxGroups);
  const ids = offered.map(({ id }) => id);
  const selection = { by: null, declineReason: null, offered: offered.length, chosen: ids };
  if (!isAsked || offered.length === 0) return { how: "not_asked", ...selection };

  const outcome = await ctx.ask({
    prompt: promptFor(counts, candidates.length, offered.length),
    choices: choicesFor(offered),
    multiple: true,
    default: [all],
    timeout: params.answerTimeout,
    key: "groups",
    context: { countsByLevel: counts, groups: offered.map(toGroupResult) },
  });
  const by = outcome.by?.name ?? null;
  switch (outcome.outcome) {
    case "answered":
      return { how: "answered", ...selection, by, chosen: chosenFrom(outcome.answer ?? [], ids) };
    case "timed_out":
      return { how: "default", ...selection };
    case "declined": {
      const { declineReason } = outcome;
      return { how: "declined", ...selection, by, declineReason, chosen: [] };
    }
    case "cancelled":
      ctx.checkCancelled();
      throw new Error("The question was cancelled, but the task was not.");
  }
}

function chosenFrom(answer: readonly string[], ids: readonly string[]): string[] {
  return answer.includes(all) ? [...ids] : ids.filter((id) => answer.includes(id));
}

function promptFor(counts: LevelCounts, found: number, offered: number): string {
  const rest =
    offered < found ? ` The ${offered} most serious and frequent of ${found} are listed.` : "";
  return (
    `Found ${counted(counts.error, "error")} and ${counted(counts.warning, "warning")} in ` +
    `${counted(found, "group")} of messages. Which groups go into the report?${rest}`
  );
}

function choicesFor(groups: readonly MergedGroup[]): Choice[] {
  return [
    { value: all, label: `All ${counted(groups.length, "group")} listed` },
    ...groups.map((group) => ({
      value: group.id,
      label: `${group.level} ×${group.count.toLocaleString("en-US")} ${shortened(group.template)}`,
      description: whereAndWhen(group),
    })),
    { value: none, label: "None, only the counts" },
  ];
}

function whereAndWhen(group: MergedGroup): string {
  const { files, firstAt, lastAt } = toGroupResult(group);
  const names = files.slice(0, 3).map(({ file, count }) => `${file} (${count})`);
  const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
  const where = `in ${names.join(", ")}${more}`;
  if (firstAt === null || lastAt === null) return where;
  return firstAt === lastAt ? `${where}, at ${firstAt}` : `${where}, ${firstAt} to ${lastAt}`;
}

function shortened(template: string): string {
  return template.length > 140 ? `${beginningOf(template, 140)}…` : template;
}

/** `1 error`, `2,000 errors`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
