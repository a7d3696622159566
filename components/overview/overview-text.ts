import type { Measures, Overview, OverviewRange } from "@/server/core/overview.ts";
import { durationText } from "../time/time-text.ts";

export const rangeTexts: Readonly<Record<OverviewRange, string>> = {
  "1h": "the last hour",
  "24h": "the last 24 hours",
  "7d": "the last 7 days",
  "30d": "the last 30 days",
};

export function countText(count: number): string {
  return count.toLocaleString("en");
}

/** `3.2 %`; a part of nothing is a dash. */
export function rateText(rate: number | null): string {
  if (rate === null) return "–";
  const percent = rate * 100;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent.toFixed(percent >= 10 || percent === 0 ? 0 : 1)} %`;
}

export function secondsText(seconds: number | null): string {
  return seconds === null ? "–" : durationText(seconds);
}

/** A duration at an axis, in one unit. */
export function axisSeconds(seconds: number): string {
  const units = [
    ["d", 86_400],
    ["h", 3600],
    ["m", 60],
  ] as const;
  const [name, size] = units.find(([, each]) => seconds >= each) ?? ["s", 1];
  return seconds === 0 ? "0" : `${Number((seconds / size).toFixed(1))} ${name}`;
}

/** The working time of a task that ended, on average; null when none did. */
export function meanWork(counts: Measures): number | null {
  const ended = counts.completed + counts.failed + counts.cancelled;
  return ended === 0 ? null : counts.workedSeconds / ended;
}

/** What the chart of ends shows, in a sentence. */
export function throughputSummary({ total, range, slots }: Overview): string {
  const { started, completed, failed, cancelled } = total;
  const busiest = Math.max(
    0,
    ...slots.map((slot) => slot.completed + slot.failed + slot.cancelled),
  );
  return (
    `In ${rangeTexts[range]} ${tasks(started)} started; ${countText(completed)} completed, ` +
    `${countText(failed)} failed and ${countText(cancelled)} were cancelled. ` +
    `At most ${countText(busiest)} ended in ${slotText(range)}.`
  );
}

/** What the chart of answers shows, in a sentence. */
export function answersSummary({ total, range }: Overview): string {
  const { asked, answered, declined, timedOut, answerP50, answerP95 } = total;
  const said = `In ${rangeTexts[range]} ${countText(asked)} ${asked === 1 ? "question was" : "questions were"} asked; `;
  const became = `${countText(answered)} answered, ${countText(declined)} declined, ${countText(timedOut)} timed out.`;
  if (answerP50 === null) return said + became;
  return `${said}${became} Half of the answers came within ${secondsText(answerP50)}, 95 % within ${secondsText(answerP95)}.`;
}

/** How long one slot of a range is, in words. */
function slotText(range: OverviewRange): string {
  if (range === "1h") return "one minute";
  return range === "24h" ? "a quarter of an hour" : "six hours";
}

function tasks(count: number): string {
  return `${countText(count)} ${count === 1 ? "task was" : "tasks were"}`;
}

const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const whole = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** A slot's beginning at an axis, in the viewer's zone. */
export function tickText(at: string, range: OverviewRange): string {
  return (range === "1h" || range === "24h" ? hour : day).format(Date.parse(at));
}

/** A slot's beginning in full, in the viewer's zone. */
export function momentText(at: string): string {
  return whole.format(Date.parse(at));
}
