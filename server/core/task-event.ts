import type { Actor } from "./actor.ts";
import type { QuestionOutcome } from "./task-question.ts";
import type { TerminalStatus } from "./task-status.ts";
import type { UpdateLevel } from "./task-update.ts";
import type { Timestamp } from "./timestamp.ts";

/** What an entry of a task's timeline says. */
export type TaskEventBody =
  | { kind: "task_created"; actor: Actor }
  | { kind: "attempt_started"; attempt: number; workerId: string; reason: AttemptReason }
  | { kind: "attempt_interrupted"; attempt: number; reason: string }
  | { kind: "attempt_released"; attempt: number }
  | { kind: "attempt_parked"; attempt: number }
  | { kind: "attempt_failed"; attempt: number; error: string; retryAt: Timestamp }
  | { kind: "update"; updateId: string; level: UpdateLevel; message: string }
  | {
      kind: "step_completed";
      name: string;
      key: string;
      startedAt: Timestamp;
      /** The approval whose grant the step used; left out when it needed none. */
      grantOf?: string;
    }
  | { kind: "step_failed"; name: string; key: string; startedAt: Timestamp; error: string }
  | { kind: "question_opened"; questionId: string; prompt: string; deadline: Timestamp }
  | {
      kind: "question_resolved";
      questionId: string;
      outcome: QuestionOutcome;
      actor: Actor | null;
      defaultUsed: boolean;
    }
  | {
      kind: "approval_given";
      questionId: string;
      actor: Actor;
      /** How many people have approved the arguments that stand now, and how many have to. */
      given: number;
      needed: number;
      /** The arguments were changed with it. */
      edited: boolean;
      /** Approvals of the arguments before the change, which no longer count. */
      dropped: number;
    }
  | { kind: "question_seen"; questionId: string; actor: Actor }
  | {
      kind: "question_claimed";
      questionId: string;
      actor: Actor;
      until: Timestamp;
      /** Who had it until then; null when nobody had. */
      takenFrom: Actor | null;
    }
  | { kind: "question_released"; questionId: string; actor: Actor }
  | { kind: "cancel_requested"; actor: Actor; reason: string | null }
  | { kind: "task_finished"; status: TerminalStatus; error: string | null; forced: boolean };

export type AttemptReason = "start" | "retry" | "resume";
export type TaskEventKind = TaskEventBody["kind"];

/** One entry of a task's append-only timeline. */
export type TaskEvent = {
  /** Its place in the order of all events of the installation. */
  position: number;
  taskId: string;
  /** 1, 2, 3 … within the task, without gaps. */
  seq: number;
  /** Rises within a task. */
  at: Timestamp;
} & TaskEventBody;

const isUpdate: Record<TaskEventKind, boolean> = {
  task_created: false,
  attempt_started: false,
  attempt_interrupted: false,
  attempt_released: false,
  attempt_parked: false,
  attempt_failed: false,
  update: true,
  step_completed: false,
  step_failed: false,
  question_opened: false,
  question_resolved: false,
  approval_given: false,
  question_seen: false,
  question_claimed: false,
  question_released: false,
  cancel_requested: false,
  task_finished: false,
};

/** All kinds but updates: what happened to a task, without what it said. */
export const kindsWithoutUpdates: readonly TaskEventKind[] = (
  Object.keys(isUpdate) as TaskEventKind[]
).filter((kind) => !isUpdate[kind]);

/** The events that a poll with a cursor calls news. */
export const newsKinds: readonly TaskEventKind[] = [
  "update",
  "question_opened",
  "question_resolved",
  "task_finished",
];
