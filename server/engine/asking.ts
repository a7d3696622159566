import type { z } from "zod";
import { hasErrorCode, ReplayMismatch } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { Outcome, QuestionRequest } from "../core/task-context.ts";
import { newQuestionData, type QuestionData, TaskQuestion } from "../core/task-question.ts";
import { addSeconds, toTimestamp } from "../core/timestamp.ts";
import type { AttemptParts } from "./attempt-parts.ts";
import { deferred } from "./deferred.ts";
import { isZodSchema } from "./json-schema.ts";
import {
  asksForTheSame,
  type CheckedRequest,
  checkRequest,
  parseAnswer,
} from "./question-request.ts";

/** The questions of one attempt: asks them, or finds them in the journal, and waits for outcomes. */
export class Asking {
  readonly #shared: AttemptParts;
  readonly #listeners = new Map<string, (question: QuestionData) => void>();
  readonly #schemas = new Map<string, z.ZodType>();

  constructor(shared: AttemptParts) {
    this.#shared = shared;
  }

  /** Questions the handler waits for. */
  get awaited(): number {
    return this.#listeners.size;
  }

  /** A question of this task changed: whoever waits for it goes on. */
  notice(question: QuestionData): void {
    if (question.outcome !== null) this.#listeners.get(question.questionId)?.(question);
  }

  /** @throws InvalidAnswer where the handler's own schema says more than what is stored of it. */
  async checkAnswer(questionId: string, answer: JsonValue): Promise<void> {
    const schema = this.#schemas.get(questionId);
    if (schema) await parseAnswer(schema, answer);
  }

  /** @throws InvalidInput, AmbiguousStep, ReplayMismatch, LeaseLost; never for an outcome. */
  async ask(request: QuestionRequest): Promise<Outcome> {
    const { attempt, replay } = this.#shared;
    attempt.requireLive();
    const checked = checkRequest(request);
    const key = replay.nextKey("ask", request.key);
    const recorded = replay.takeQuestion(key);
    if (recorded && !asksForTheSame(recorded, checked)) {
      throw new ReplayMismatch(
        `Question ${key} was recorded with other choices or another schema than the handler asks ` +
          "for now.",
        { name: "ask", key, questionId: recorded.questionId },
      );
    }
    const question = recorded ?? this.#newQuestion(checked, key);
    if (question.outcome !== null) return outcomeOf(question, request);
    if (!recorded && attempt.isCancelled) return outcomeOf(this.#neverAsked(question), request);

    const endCall = replay.begin();
    const { questionId } = question;
    if (isZodSchema(request.schema)) this.#schemas.set(questionId, request.schema);
    try {
      const resolved = await this.#waitForOutcome(question, recorded !== null);
      return await outcomeOf(resolved, request);
    } finally {
      this.#schemas.delete(questionId);
      endCall();
    }
  }

  #newQuestion(checked: CheckedRequest, key: string): QuestionData {
    const { attempt, engine } = this.#shared;
    const askedAt = toTimestamp(engine.clock.now());
    return newQuestionData({
      ...checked,
      taskId: attempt.task.taskId,
      questionId: engine.makeId("q"),
      key,
      askedAt,
      deadline: addSeconds(askedAt, checked.timeout),
    });
  }

  async #waitForOutcome(question: QuestionData, isRecorded: boolean): Promise<QuestionData> {
    const { attempt, engine, waits } = this.#shared;
    // Listening starts before the question is asked, so that no answer can come too early.
    const { promise, resolve, reject } = deferred<QuestionData>();
    // It may be rejected while the question is still being committed and nobody awaits it.
    promise.catch(() => {});
    this.#listeners.set(question.questionId, resolve);
    const endWait = waits.add({
      // A cancel closes the question, and its outcome says so; losing the lease does not.
      reject: (reason) => (hasErrorCode(reason, "task_cancelled") ? undefined : reject(reason)),
      until: null,
    });
    try {
      if (isRecorded) {
        const current = await engine.store.getQuestion(question.questionId);
        if (current?.outcome) return current;
      } else {
        await attempt.commit({ kind: "ask", question });
      }
      return await promise.finally(attempt.slot.beginWait("question"));
    } catch (error) {
      if (!isRecorded && hasErrorCode(error, "task_cancelled")) return this.#neverAsked(question);
      throw error;
    } finally {
      this.#listeners.delete(question.questionId);
      endWait();
    }
  }

  /** The outcome of a question that a cancel came before. */
  #neverAsked(question: QuestionData): QuestionData {
    const resolvedAt = toTimestamp(this.#shared.engine.clock.now());
    return { ...question, outcome: "cancelled", resolvedAt };
  }
}

async function outcomeOf(question: QuestionData, { schema }: QuestionRequest): Promise<Outcome> {
  const read = async (value: JsonValue): Promise<JsonValue> =>
    isZodSchema(schema) ? ((await parseAnswer(schema, value)) as JsonValue) : value;
  return {
    outcome: question.outcome ?? "cancelled",
    answer: question.outcome === "answered" ? await read(question.answer) : null,
    defaultUsed: question.defaultUsed,
    defaultValue: question.defaultUsed ? await read(question.defaultValue) : null,
    declineReason: question.declineReason,
    by: question.resolvedBy,
    question: new TaskQuestion(question),
  };
}
