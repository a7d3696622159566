import { formatCursor } from "../core/cursor.ts";
import { Conflict, hasErrorCode, TaskNotFound } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { TaskRecord } from "../core/task.ts";
import type { QuestionRequest } from "../core/task-context.ts";
import {
  newQuestionData,
  type QuestionData,
  type QuestionOutcome,
  TaskQuestion,
} from "../core/task-question.ts";
import { addSeconds, microsPerSecond, toTimestamp } from "../core/timestamp.ts";
import type { EngineParts } from "./engine-parts.ts";
import { jsonDigest } from "./json-digest.ts";
import type { Poller } from "./poller.ts";
import { asksForTheSame, checkRequest } from "./question-request.ts";

/** A question, and the key under which its driver asks for it again. */
export type DrivenAsk = Omit<QuestionRequest, "key"> & { key: string };

export interface DrivenOutcome {
  /** Null where a cancel came before it was asked. */
  questionId: string | null;
  /** Null while it is open. */
  outcome: QuestionOutcome | null;
  /** In the clear, also where the question is secret: only its driver is told. */
  answer: JsonValue;
  defaultUsed: boolean;
  defaultValue: JsonValue;
  declineReason: string | null;
  /** Who decided it. */
  by: string | null;
  deadline: string | null;
}

/** The questions of driven tasks. */
export class DriverQuestions {
  readonly #parts: EngineParts;
  readonly #poller: Pick<Poller, "poll">;

  constructor(parts: EngineParts, poller: Pick<Poller, "poll">) {
    this.#parts = parts;
    this.#poller = poller;
  }

  async ask(
    task: TaskRecord,
    { key, ...request }: DrivenAsk,
    { wait, signal }: { wait: number; signal?: AbortSignal },
  ): Promise<DrivenOutcome> {
    const { store, clock, secrets } = this.#parts;
    const { taskId, epoch } = task;
    const checked = checkRequest({ answerableBy: "operator", ...request });
    if (checked.secret) secrets.requireBox();
    // The same for the same key, so that a call that is repeated finds its question.
    const questionId = `q_${jsonDigest([taskId, key]).slice(0, 24)}`;
    const askedAt = toTimestamp(clock.now());
    const deadline = addSeconds(askedAt, checked.timeout);
    const question = newQuestionData({ ...checked, taskId, questionId, key, askedAt, deadline });
    try {
      const command = {
        kind: "ask",
        taskId,
        at: clock.now(),
        epoch,
        question,
        once: true,
      } as const;
      const asked = await store.commit(command);
      if (!asksForTheSame(asked, checked)) {
        throw new Conflict(
          `The key "${key}" was used for another question of task ${taskId}. Use a new key.`,
          { questionId },
        );
      }
    } catch (error) {
      if (hasErrorCode(error, "task_cancelled")) return neverAsked;
      throw error;
    }
    return this.#told(await this.#waitFor(taskId, questionId, wait, signal));
  }

  async #waitFor(
    taskId: string,
    questionId: string,
    wait: number,
    signal: AbortSignal | undefined,
  ): Promise<QuestionData> {
    const { store, clock } = this.#parts;
    const until = clock.now() + wait * microsPerSecond;
    for (let seen = -1; ; ) {
      const lastSeq = (await store.getTask(taskId))?.lastSeq ?? 0;
      const question = await store.getQuestion(questionId);
      if (!question) throw new TaskNotFound(`There is no question ${questionId}.`);
      const timeout = (until - clock.now()) / microsPerSecond;
      // A poll that ends early and tells nothing ends with the server.
      if (question.outcome !== null || timeout <= 0 || lastSeq === seen) return question;
      seen = lastSeq;
      const since = formatCursor(taskId, lastSeq);
      await this.#poller.poll(taskId, { since, timeout, waitFor: "input_or_result", signal });
    }
  }

  async #told(data: QuestionData): Promise<DrivenOutcome> {
    const question = new TaskQuestion(data);
    const isSecret = question.secret && question.outcome === "answered";
    return {
      questionId: question.questionId,
      outcome: question.outcome,
      answer: isSecret ? await this.#parts.secrets.readAnswer(data) : question.answer,
      defaultUsed: question.defaultUsed,
      defaultValue: question.defaultUsed ? question.defaultValue : null,
      declineReason: question.declineReason,
      by: question.resolvedBy?.name ?? null,
      deadline: question.deadline,
    };
  }
}

const neverAsked: DrivenOutcome = {
  questionId: null,
  outcome: "cancelled",
  answer: null,
  defaultUsed: false,
  defaultValue: null,
  declineReason: null,
  by: null,
  deadline: null,
};
