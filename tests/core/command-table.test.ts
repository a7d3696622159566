import { describe, expect, test } from "vitest";
import { isToolthreadError } from "../../server/core/errors.ts";
import type { ExistingTaskCommand } from "../../server/core/state-machine.ts";
import { type TaskStatus, taskStatuses } from "../../server/core/task-status.ts";
import { toTimestamp } from "../../server/core/timestamp.ts";
import {
  agent,
  ann,
  ask,
  cancel,
  claim,
  claimQuestion,
  expire,
  finish,
  later,
  leaseSeconds,
  park,
  release,
  releaseQuestion,
  resolve,
  retry,
  taskIn,
} from "../support/paper-commands.ts";
import type { TaskOnPaper } from "../support/task-on-paper.ts";

/** A command as a program that means it would send it. */
interface Row {
  name: string;
  send: (task: TaskOnPaper) => unknown;
  /**
   * For each status in the order of TaskStatus: the status afterwards, `=` where nothing changed and
   * nothing was refused, or the error's code.
   */
  outcomes: string;
}

const epochOf = (task: TaskOnPaper) => task.record.epoch;

function postUpdate(task: TaskOnPaper, epoch: number | null) {
  const update = { updateId: "u_1", level: "info", message: "hello" } as const;
  return task.do<"post_update">({ kind: "post_update", epoch, ...update });
}

// A kind of command that is missing here does not compile.
const rows: Record<ExistingTaskCommand, Row[]> = {
  claim: [{ name: "claim", send: claim, outcomes: "running = = = = =" }],
  renew: [
    {
      name: "renew",
      send: (task) =>
        task.do<"renew">({
          kind: "renew",
          epoch: epochOf(task),
          expiresAt: later(task, leaseSeconds),
        }),
      outcomes: "= running waiting_for_input = = =",
    },
  ],
  release: [{ name: "release", send: release, outcomes: "= running waiting_for_input = = =" }],
  expire: [
    { name: "expire a live lease", send: (task) => expire(task, null), outcomes: "= = = = = =" },
    {
      name: "expire a dead worker's",
      send: (task) => expire(task, "w_1"),
      outcomes: "= running waiting_for_input = = =",
    },
    {
      name: "expire a lease that ran out",
      send: (task) => expire(task.wait(leaseSeconds), null),
      outcomes: "= running waiting_for_input = = =",
    },
    {
      name: "expire and fail",
      send: (task) => expire(task, "w_1", "Error: x"),
      outcomes: "= failed failed = = =",
    },
  ],
  post_update: [
    {
      name: "post_update",
      send: (task) => postUpdate(task, epochOf(task)),
      outcomes: "pending running waiting_for_input lease_lost lease_lost lease_lost",
    },
    {
      name: "post_update of an earlier attempt",
      send: (task) => postUpdate(task, epochOf(task) - 1),
      outcomes: "lease_lost lease_lost lease_lost lease_lost lease_lost lease_lost",
    },
    {
      name: "post_update from outside",
      send: (task) => postUpdate(task, null),
      outcomes: "pending running waiting_for_input conflict conflict conflict",
    },
  ],
  set_progress: [
    {
      name: "set_progress",
      send: (task) =>
        task.do<"set_progress">({
          kind: "set_progress",
          epoch: epochOf(task),
          progress: { done: 1, total: 2, message: null, at: toTimestamp(task.at) },
        }),
      outcomes: "pending running waiting_for_input lease_lost lease_lost lease_lost",
    },
  ],
  record: [
    {
      name: "record",
      send: (task) =>
        task.do<"record">({
          kind: "record",
          epoch: epochOf(task),
          entry: {
            taskId: task.record.taskId,
            kind: "step",
            name: "copy",
            key: "#1",
            status: "ok",
            value: 1,
            error: null,
            startedAt: toTimestamp(task.at),
          },
        }),
      outcomes: "pending running waiting_for_input lease_lost lease_lost lease_lost",
    },
  ],
  ask: [
    {
      name: "ask",
      send: (task) => ask(task, { questionId: "q_2" }),
      outcomes:
        "waiting_for_input waiting_for_input waiting_for_input lease_lost lease_lost lease_lost",
    },
  ],
  resolve: [
    {
      name: "answer",
      send: (task) => resolve(task, "q_1", "answered"),
      outcomes:
        "task_not_found task_not_found running task_not_found task_not_found task_not_found",
    },
    {
      name: "decline",
      send: (task) => resolve(task, "q_1", "declined"),
      outcomes:
        "task_not_found task_not_found running task_not_found task_not_found task_not_found",
    },
    {
      name: "time out too early",
      send: (task) => resolve(task, "q_1", "timed_out"),
      outcomes: "task_not_found task_not_found = task_not_found task_not_found task_not_found",
    },
    {
      name: "time out",
      send: (task) => resolve(task.wait(400), "q_1", "timed_out"),
      outcomes:
        "task_not_found task_not_found running task_not_found task_not_found task_not_found",
    },
  ],
  park: [
    {
      name: "park",
      send: (task) => park(task),
      outcomes: "pending running waiting_for_input lease_lost lease_lost lease_lost",
    },
    {
      name: "park when a question was resolved meanwhile",
      send: (task) =>
        task.do<"park">({
          kind: "park",
          epoch: epochOf(task),
          openQuestions: task.record.openQuestions + 1,
          wakeAt: null,
        }),
      outcomes: "= = = lease_lost lease_lost lease_lost",
    },
  ],
  wake: [
    {
      name: "wake while a worker has it",
      send: (task) => task.do<"wake">({ kind: "wake" }),
      outcomes: "= = = = = =",
    },
    {
      name: "wake when its lease ran out",
      send: (task) => task.wait(leaseSeconds).do<"wake">({ kind: "wake" }),
      outcomes: "= running waiting_for_input = = =",
    },
  ],
  set_clock: [
    {
      name: "set_clock",
      send: (task) =>
        task.do<"set_clock">({
          kind: "set_clock",
          epoch: epochOf(task),
          clock: task.record.clock === "working" ? "waiting" : "working",
        }),
      outcomes: "pending running waiting_for_input lease_lost lease_lost lease_lost",
    },
  ],
  set_key: [
    {
      name: "set_key",
      send: (task) => task.do<"set_key">({ kind: "set_key", epoch: epochOf(task), holdsKey: true }),
      outcomes: "pending running waiting_for_input lease_lost lease_lost lease_lost",
    },
  ],
  mark_seen: [
    {
      name: "mark_seen",
      send: (task) => task.do<"mark_seen">({ kind: "mark_seen", questionId: "q_1", actor: ann }),
      outcomes:
        "task_not_found task_not_found waiting_for_input task_not_found task_not_found task_not_found",
    },
  ],
  claim_question: [
    {
      name: "claim_question",
      send: (task) => claimQuestion(task, ann),
      outcomes:
        "task_not_found task_not_found waiting_for_input task_not_found task_not_found task_not_found",
    },
    {
      name: "claim_question by an agent",
      send: (task) => claimQuestion(task, agent),
      outcomes:
        "task_not_found task_not_found forbidden task_not_found task_not_found task_not_found",
    },
    {
      name: "claim_question past its deadline",
      send: (task) => claimQuestion(task.wait(400), ann),
      outcomes:
        "task_not_found task_not_found running task_not_found task_not_found task_not_found",
    },
  ],
  release_question: [
    {
      name: "release_question that nobody claims",
      send: (task) => releaseQuestion(task, ann),
      outcomes: "task_not_found task_not_found = task_not_found task_not_found task_not_found",
    },
  ],
  request_cancel: [
    { name: "cancel", send: (task) => cancel(task), outcomes: "cancelled running running = = =" },
    {
      name: "cancel by force",
      send: (task) => cancel(task, true),
      outcomes: "cancelled cancelled cancelled = = =",
    },
  ],
  finish: [
    {
      name: "complete",
      send: (task) => finish(task, "completed"),
      outcomes: "completed completed completed lease_lost lease_lost lease_lost",
    },
    {
      name: "fail",
      send: (task) => finish(task, "failed"),
      outcomes: "failed failed failed lease_lost lease_lost lease_lost",
    },
  ],
  retry: [
    {
      name: "retry",
      send: retry,
      outcomes: "pending pending pending lease_lost lease_lost lease_lost",
    },
  ],
  set_status: [
    {
      name: "set_status running",
      send: (task) => task.do<"set_status">({ kind: "set_status", status: "running" }),
      outcomes: "running = running conflict conflict conflict",
    },
    {
      name: "set_status failed",
      send: (task) => task.do<"set_status">({ kind: "set_status", status: "failed" }),
      outcomes: "failed failed failed conflict = conflict",
    },
  ],
};

function outcomeOf(send: Row["send"], status: TaskStatus): string {
  const task = taskIn(status);
  const stateOf = ({ record, events, ended }: TaskOnPaper) =>
    JSON.stringify({ record, events, ended });
  const before = stateOf(task);
  try {
    send(task);
  } catch (error) {
    if (!isToolthreadError(error)) throw error;
    expect(stateOf(task)).toBe(before);
    return error.code;
  }
  return stateOf(task) === before ? "=" : task.record.status;
}

describe("every command in every status", () => {
  test.each(Object.values(rows).flat())("$name", ({ send, outcomes }) => {
    const seen = taskStatuses.map((status) => outcomeOf(send, status));
    expect(seen.join(" ")).toBe(outcomes);
  });
});
