import { z } from "zod";
import type { TaskManager } from "../../server/engine/task-manager.ts";

/** Where a job stands when there is something to do: it asks, or it has ended. */
export type Halt =
  | { kind: "question"; prompt: string }
  | { kind: "end"; status: string; result: unknown; error: string | null };

/** One job, as whoever drives it over some surface sees it. Each step goes on to the next halt. */
export interface Driver {
  /** Starts a task of the type `release`. */
  begin(params: object): Promise<Halt>;
  answer(answer: string): Promise<Halt>;
  cancel(): Promise<Halt>;
  /** Does nothing but wait. */
  wait(): Promise<Halt>;
  close?(): Promise<void>;
}

/** The job: begins, tells how far it is, asks, and does what the answer says. */
export function registerRelease(manager: TaskManager): void {
  const params = z.strictObject({ env: z.string(), askFor: z.number().default(60) });
  const options = { type: "release", title: "Release", description: "Releases it.", params };
  manager.registerTask(options, async (ctx, { env, askFor }) => {
    await ctx.update(`Checking ${env}`);
    const outcome = await ctx.ask({
      prompt: `Release to ${env}?`,
      choices: [
        { value: "yes", label: "Release it" },
        { value: "no", label: "Leave it" },
      ],
      timeout: askFor,
    });
    if (outcome.outcome === "cancelled") ctx.checkCancelled();
    if (outcome.outcome === "timed_out") throw new RangeError("Nobody answered in time");
    await ctx.update(`Answered: ${outcome.answer}`);
    return { released: outcome.answer === "yes", env };
  });
}

export interface Scenario {
  name: string;
  params: object;
  /** What the driver does once it is asked. */
  onceAsked(driver: Driver): Promise<Halt>;
  /** How it ended, as the driver was told. */
  end: Halt;
  /** What is in the timeline, in words. */
  timeline: string[];
}

/** The same for every surface. */
export const scenarios: Scenario[] = [
  {
    name: "start, updates, question, answer, result",
    params: { env: "lab" },
    onceAsked: (driver) => driver.answer("yes"),
    end: { kind: "end", status: "completed", result: { released: true, env: "lab" }, error: null },
    timeline: [
      "task_created",
      "update Checking lab",
      "question_opened Release to lab?",
      "question_resolved answered",
      "update Answered: yes",
      "task_finished completed",
    ],
  },
  {
    name: "start, question, cancel",
    params: { env: "lab" },
    onceAsked: (driver) => driver.cancel(),
    end: {
      kind: "end",
      status: "cancelled",
      result: null,
      error: "TaskCancelled: the task was cancelled",
    },
    timeline: [
      "task_created",
      "update Checking lab",
      "question_opened Release to lab?",
      "cancel_requested",
      "question_resolved cancelled",
      "task_finished cancelled",
    ],
  },
  {
    name: "start, question, timeout",
    params: { env: "lab", askFor: 0.5 },
    onceAsked: (driver) => driver.wait(),
    end: {
      kind: "end",
      status: "failed",
      result: null,
      error: "RangeError: Nobody answered in time",
    },
    timeline: [
      "task_created",
      "update Checking lab",
      "question_opened Release to lab?",
      "question_resolved timed_out",
      "task_finished failed",
    ],
  },
];
