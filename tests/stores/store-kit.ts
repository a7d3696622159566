import type { Actor } from "../../server/core/actor.ts";
import type { Approval, ApprovalVote, GrantUse } from "../../server/core/approval.ts";
import type { Command, CommandKind, CommandResult } from "../../server/core/command.ts";
import type { DurableTaskStore } from "../../server/core/durable-task-store.ts";
import type { JsonValue } from "../../server/core/json.ts";
import { plainStart } from "../../server/core/plain-start.ts";
import type { TaskRecord } from "../../server/core/task.ts";
import type { TaskEvent } from "../../server/core/task-event.ts";
import {
  newQuestionData,
  type QuestionData,
  type QuestionFields,
} from "../../server/core/task-question.ts";
import { addSeconds, type Timestamp, toTimestamp } from "../../server/core/timestamp.ts";
import type { TestClock } from "../support/test-clock.ts";

export const operator: Actor = {
  kind: "operator",
  id: "ada",
  name: "Ada",
  surface: "dashboard",
};

export const agent: Actor = { kind: "agent", id: "key_1", name: "a key", surface: "rest" };

/** An approval as it is asked for; who started its task must not give it. */
export function approvalOf(args: JsonValue, fields: Partial<Approval> = {}): Approval {
  return {
    action: "refund",
    args,
    argsDigest: "d1",
    askedDigest: "d1",
    argsSchema: null,
    allowEdit: false,
    edited: null,
    needed: 1,
    given: [],
    selfApproval: false,
    expiresIn: 900,
    expiresAt: null,
    usedBy: null,
    ...fields,
  };
}

/** A store under test, with short ways to say what is done to it. */
export class StoreKit {
  readonly store: DurableTaskStore;
  readonly clock: TestClock;
  #ids = 0;

  constructor(store: DurableTaskStore, clock: TestClock) {
    this.store = store;
    this.clock = clock;
  }

  now(): Timestamp {
    return toTimestamp(this.clock.now());
  }

  later(seconds: number): Timestamp {
    return addSeconds(this.now(), seconds);
  }

  newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${String(this.#ids).padStart(6, "0")}`;
  }

  commit<K extends CommandKind>(
    taskId: string,
    input: Omit<Command<K>, "taskId" | "at">,
  ): Promise<CommandResult<K>> {
    return this.store.commit({ ...input, taskId, at: this.clock.now() } as unknown as Command<K>);
  }

  startDetailed(fields: Partial<Command<"start">> = {}): Promise<CommandResult<"start">> {
    return this.store.commit<"start">({
      ...plainStart,
      taskId: this.newId("task"),
      at: this.clock.now(),
      type: "demo",
      params: { n: 1 },
      ...fields,
    });
  }

  async start(fields: Partial<Command<"start">> = {}): Promise<string> {
    return (await this.startDetailed(fields)).task.taskId;
  }

  lease(workerId = "w_1", seconds = 15): Command<"claim">["lease"] {
    return { workerId, expiresAt: this.later(seconds) };
  }

  /** A task that a worker runs, and the epoch of its attempt. */
  async running(
    fields: Partial<Command<"start">> = {},
  ): Promise<{ taskId: string; epoch: number }> {
    const { task } = await this.startDetailed({ lease: this.lease(), ...fields });
    return { taskId: task.taskId, epoch: task.epoch };
  }

  claim(taskId: string, workerId = "w_1"): Promise<TaskRecord | null> {
    return this.commit<"claim">(taskId, { kind: "claim", lease: this.lease(workerId) });
  }

  post(taskId: string, message: string, epoch: number | null = null) {
    const updateId = this.newId("u");
    return this.commit<"post_update">(taskId, {
      kind: "post_update",
      epoch,
      updateId,
      level: "info",
      message,
    });
  }

  ask(taskId: string, fields: Partial<QuestionFields> = {}): Promise<QuestionData> {
    const question = newQuestionData({
      taskId,
      prompt: "Continue?",
      questionId: this.newId("q"),
      askedAt: this.now(),
      ...fields,
    });
    return this.commit<"ask">(taskId, { kind: "ask", epoch: null, question });
  }

  resolve(
    question: QuestionData,
    outcome: Command<"resolve">["outcome"],
    answer: JsonValue = null,
    actor: Actor | null = operator,
  ) {
    const { taskId, questionId } = question;
    return this.commit<"resolve">(taskId, {
      kind: "resolve",
      questionId,
      outcome,
      answer,
      declineReason: outcome === "declined" ? "no" : null,
      actor: outcome === "timed_out" ? null : actor,
    });
  }

  approve({ taskId, questionId }: QuestionData, actor: Actor, edit: ApprovalVote["edit"] = null) {
    return this.commit<"resolve">(taskId, {
      kind: "resolve",
      questionId,
      outcome: "answered",
      answer: { approve: true },
      declineReason: null,
      actor,
      approval: { seenDigest: null, edit },
    });
  }

  cancel(taskId: string, force = false): Promise<boolean> {
    return this.commit<"request_cancel">(taskId, {
      kind: "request_cancel",
      actor: operator,
      reason: "not needed",
      force,
    });
  }

  finish(taskId: string, epoch: number | null, result: JsonValue = "done"): Promise<TaskRecord> {
    return this.commit<"finish">(taskId, {
      kind: "finish",
      epoch,
      status: "completed",
      result,
      error: null,
    });
  }

  retry(taskId: string, epoch: number, seconds = 5): Promise<TaskRecord> {
    const retryAt = this.later(seconds);
    return this.commit<"retry">(taskId, { kind: "retry", epoch, error: "Error: no", retryAt });
  }

  record(
    taskId: string,
    name: string,
    status: "pending" | "ok" | "failed" = "ok",
    value: JsonValue = null,
    kind: "step" | "sleep" = "step",
    grant?: GrantUse,
  ) {
    return this.commit<"record">(taskId, {
      kind: "record",
      epoch: null,
      grant,
      entry: {
        taskId,
        kind,
        name,
        key: "#1",
        status,
        value,
        error: status === "failed" ? "Error: broken" : null,
        startedAt: this.now(),
      },
    });
  }

  async task(taskId: string): Promise<TaskRecord> {
    const task = await this.store.getTask(taskId);
    if (!task) throw new Error(`no task ${taskId}`);
    return task;
  }

  async kinds(taskId: string): Promise<string[]> {
    return (await this.store.readEvents(taskId, {})).map((event) => event.kind);
  }

  async messages(taskId: string): Promise<string[]> {
    const events = await this.store.readEvents(taskId, { kinds: ["update"] });
    return events.flatMap((event) => (event.kind === "update" ? event.message : []));
  }
}

/** What every timeline promises: `seq` without gap or double, timestamps that rise. */
export function findTimelineFault(events: TaskEvent[]): string | null {
  for (const [i, event] of events.entries()) {
    const before = events[i - 1];
    if (event.seq !== i + 1) return `seq ${event.seq} stands at place ${i + 1}`;
    if (before && event.at <= before.at) return `${event.at} follows ${before.at}`;
    if (before && event.position <= before.position) return "positions do not rise";
  }
  return null;
}
