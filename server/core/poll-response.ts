import type { Progress } from "./task.ts";
import type { QuestionData, TaskQuestion } from "./task-question.ts";
import type { TaskResult } from "./task-result.ts";
import type { TaskStatus } from "./task-status.ts";
import type { TaskUpdate } from "./task-update.ts";

export interface PollResponseFields {
  taskId: string;
  status: TaskStatus;
  updates?: TaskUpdate[];
  pendingQuestions?: TaskQuestion[];
  result?: TaskResult | null;
  cursor: string;
  hasMore?: boolean;
  progress?: Progress | null;
  cancelRequested?: boolean;
  notice?: string | null;
}

/** The JSON form of a {@link PollResponse}. */
export interface PollResponseJson {
  taskId: string;
  status: TaskStatus;
  updates: TaskUpdate[];
  pendingQuestion: QuestionData | null;
  pendingQuestions: QuestionData[];
  result: TaskResult | null;
  cursor: string;
  hasMore: boolean;
  progress: Progress | null;
  cancelRequested: boolean;
  notice: string | null;
}

/** What a poll found. Immutable. */
export class PollResponse {
  readonly taskId: string;
  readonly status: TaskStatus;
  /** Updates after `since`, oldest first. */
  readonly updates: readonly TaskUpdate[];
  /** The oldest open question; null when there is none, and while `hasMore`. */
  readonly pendingQuestion: TaskQuestion | null;
  /** All open questions, oldest first. */
  readonly pendingQuestions: readonly TaskQuestion[];
  /** Set once the task has ended, and never while `hasMore`. */
  readonly result: TaskResult | null;
  /** Pass it as the next `since`. */
  readonly cursor: string;
  /** There are more updates than this response may hold: poll again with `cursor`. */
  readonly hasMore: boolean;
  readonly progress: Progress | null;
  readonly cancelRequested: boolean;
  /** What the caller should know about how the request was read, for example a clamped timeout. */
  readonly notice: string | null;

  constructor(fields: PollResponseFields) {
    this.taskId = fields.taskId;
    this.status = fields.status;
    this.updates = fields.updates ?? [];
    this.pendingQuestions = fields.pendingQuestions ?? [];
    this.pendingQuestion = this.pendingQuestions[0] ?? null;
    this.result = fields.result ?? null;
    this.cursor = fields.cursor;
    this.hasMore = fields.hasMore ?? false;
    this.progress = fields.progress ?? null;
    this.cancelRequested = fields.cancelRequested ?? false;
    this.notice = fields.notice ?? null;
  }

  toJSON(): PollResponseJson {
    const pendingQuestions = this.pendingQuestions.map((question) => question.toJSON());
    return {
      ...this,
      updates: [...this.updates],
      pendingQuestion: pendingQuestions[0] ?? null,
      pendingQuestions,
    };
  }
}
