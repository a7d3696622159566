import type { TaskRecord } from "@/server/core/task.ts";
import type { TaskEvent } from "@/server/core/task-event.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { isTerminal } from "@/server/core/task-status.ts";
import { millisOf } from "../time/time-text.ts";
import { threadOf } from "../timeline/thread.ts";
import { stacked } from "./stacked.ts";

/** What a bar stands for. `working`, `waiting` and `idle` are the task's clocks. */
export type BarKind = "working" | "waiting" | "idle" | "attempt" | "step" | "question" | "child";

/** A stretch of time, in milliseconds since 1970. */
export interface Bar {
  kind: BarKind;
  label: string;
  from: number;
  /** The present, for what has not ended. */
  to: number;
  isOpen: boolean;
  hasFailed: boolean;
  /** The event that began or ended it; null for what has none in this timeline. */
  seq: number | null;
  /** The task it stands for, of a child. */
  taskId: string | null;
}

export interface Lane {
  key: string;
  label: string;
  /** By their beginning; they do not overlap, but for the last lane of very many at once. */
  bars: Bar[];
}

export interface Gantt {
  from: number;
  to: number;
  lanes: Lane[];
}

/** With more names than this, steps share lanes whatever they are called. */
const mostStepNames = 24;

/**
 * What a task did when: its clocks, its attempts, its steps by name, its questions, its children.
 *
 * @param events all of the task's, or all but updates; from the first on.
 */
export function ganttOf(
  task: TaskRecord,
  events: readonly TaskEvent[],
  questions: readonly QuestionData[],
  children: readonly TaskRecord[],
  nowMillis: number,
): Gantt {
  const from = millisOf(task.createdAt);
  const end = task.finishedAt === null ? nowMillis : millisOf(task.finishedAt);
  const to = Math.max(end, from + 1);
  const lanes: Lane[] = [
    { key: "clock", label: "Clock", bars: clockBars(task, events, questions, to) },
    ...lanesOf("attempts", "Attempts", attemptBars(events, to)),
    ...stepLanes(events),
    ...lanesOf("questions", "Questions", questionBars(events, questions, to)),
    ...lanesOf(
      "children",
      "Children",
      children.map((child) => childBar(child, to)),
    ),
  ];
  return { from, to, lanes };
}

function clockBars(
  task: TaskRecord,
  events: readonly TaskEvent[],
  questions: readonly QuestionData[],
  to: number,
): Bar[] {
  const { rails } = threadOf(events, questions);
  const bars: Bar[] = [];
  for (const [i, event] of events.entries()) {
    const rail = rails[i] ?? "none";
    if (rail === "none") break;
    const at = millisOf(event.at);
    const last = bars.at(-1);
    if (last) last.to = at;
    if (last?.kind === rail) continue;
    bars.push(bar({ kind: rail, label: clockNames[rail], from: at, to, seq: event.seq }));
  }
  const last = bars.at(-1);
  if (last) {
    last.to = to;
    last.isOpen = !isTerminal(task.status);
  }
  return bars.filter((each) => each.to > each.from);
}

const clockNames = {
  working: "Working",
  waiting: "Waiting for people",
  idle: "No worker",
} as const;

function attemptBars(events: readonly TaskEvent[], to: number): Bar[] {
  const bars: Bar[] = [];
  for (const event of events) {
    const last = bars.at(-1);
    if (event.kind === "attempt_started") {
      const label = `Attempt ${event.attempt}`;
      const from = millisOf(event.at);
      bars.push(bar({ kind: "attempt", label, from, to, isOpen: true, seq: event.seq }));
    } else if (last?.isOpen && endsAttempt.has(event.kind)) {
      last.to = millisOf(event.at);
      last.isOpen = false;
      last.hasFailed =
        event.kind === "attempt_failed" ||
        event.kind === "attempt_interrupted" ||
        (event.kind === "task_finished" && event.status === "failed");
    }
  }
  return bars;
}

const endsAttempt: ReadonlySet<TaskEvent["kind"]> = new Set([
  "attempt_failed",
  "attempt_interrupted",
  "attempt_released",
  "attempt_parked",
  "task_finished",
]);

function stepLanes(events: readonly TaskEvent[]): Lane[] {
  const byName = new Map<string, Bar[]>();
  const all: Bar[] = [];
  for (const event of events) {
    if (event.kind !== "step_completed" && event.kind !== "step_failed") continue;
    const hasFailed = event.kind === "step_failed";
    const [from, to] = [millisOf(event.startedAt), millisOf(event.at)];
    const step = bar({ kind: "step", label: event.name, from, to, hasFailed, seq: event.seq });
    all.push(step);
    const same = byName.get(event.name);
    if (same) same.push(step);
    else byName.set(event.name, [step]);
  }
  if (byName.size > mostStepNames) return lanesOf("steps", "Steps", all);
  return [...byName]
    .sort(([, a], [, b]) => earliest(a) - earliest(b))
    .flatMap(([name, bars]) => lanesOf(`step ${name}`, name, bars));
}

function earliest(bars: readonly Bar[]): number {
  return bars.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
}

function questionBars(
  events: readonly TaskEvent[],
  questions: readonly QuestionData[],
  to: number,
): Bar[] {
  const opened = new Map<string, number>();
  for (const event of events) {
    if (event.kind === "question_opened") opened.set(event.questionId, event.seq);
  }
  return questions.map(({ questionId, prompt, askedAt, resolvedAt, outcome, defaultUsed }) =>
    bar({
      kind: "question",
      label: prompt.slice(0, 200).replace(/\s+/g, " "),
      from: millisOf(askedAt),
      to: resolvedAt === null ? to : millisOf(resolvedAt),
      isOpen: resolvedAt === null,
      hasFailed: outcome === "timed_out" && !defaultUsed,
      seq: opened.get(questionId) ?? null,
    }),
  );
}

function childBar(child: TaskRecord, to: number): Bar {
  return bar({
    kind: "child",
    label: child.type,
    from: millisOf(child.createdAt),
    to: child.finishedAt === null ? to : millisOf(child.finishedAt),
    isOpen: child.finishedAt === null,
    hasFailed: child.status === "failed",
    taskId: child.taskId,
  });
}

function lanesOf(key: string, label: string, bars: readonly Bar[]): Lane[] {
  return stacked(bars).map((lane, i) => ({
    key: `${key} ${i}`,
    label: i === 0 ? label : "",
    bars: lane,
  }));
}

function bar(given: Pick<Bar, "kind" | "label" | "from" | "to"> & Partial<Bar>): Bar {
  return { isOpen: false, hasFailed: false, seq: null, taskId: null, ...given };
}
