import { hasErrorCode, ReplayMismatch } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { ApproveOptions, Grant, Outcome, QuestionRequest } from "../core/task-context.ts";
import { newQuestionData, type QuestionData, TaskQuestion } from "../core/task-question.ts";
import { addSeconds, toTimestamp } from "../core/timestamp.ts";
import { checkApproval, checkEditWith, grantOf } from "./approval-request.ts";
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
  /** What the handlers' own schemas say beyond what is stored of them. */
  readonly #checks = new Map<string, (answer: JsonValue) => Promise<unknown>>();

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
    await this.#checks.get(questionId)?.(answer);
  }

  /** @throws InvalidInput, AmbiguousStep, ReplayMismatch, LeaseLost; never for an outcome. */
  async ask(request: QuestionRequest): Promise<Outcome> {
    const { schema } = request;
    this.#shared.attempt.requireLive();
    const checked = checkRequest(request);
    const check = isZodSchema(schema) && ((answer: JsonValue) => parseAnswer(schema, answer));
    return outcomeOf(await this.#resolve(checked, request.key, check || undefined), schema);
  }

  /** Asks for leave to do something. @throws as {@link ask} does. */
  async approve(
    action: string,
    args: unknown,
    options: ApproveOptions,
  ): Promise<Outcome & { grant: Grant<unknown> | null }> {
    const { attempt, engine } = this.#shared;
    const { schema } = options;
    attempt.requireLive();
    const selfApproval = engine.types.find(attempt.task.type)?.options.selfApproval ?? true;
    const checked = checkApproval(action, args, options, selfApproval);
    const check = isZodSchema(schema) && ((answer: JsonValue) => checkEditWith(schema, answer));
    const question = await this.#resolve(checked, options.key, check || undefined);
    const grant = question.outcome === "answered" ? grantOf(question) : null;
    return { ...(await outcomeOf(question, undefined)), grant };
  }

  /** The question with its outcome: the recorded one, or a new one once it is resolved. */
  async #resolve(
    checked: CheckedRequest,
    explicitKey: string | undefined,
    check: ((answer: JsonValue) => Promise<unknown>) | undefined,
  ): Promise<QuestionData> {
    const { attempt, replay } = this.#shared;
    const key = replay.nextKey("ask", explicitKey);
    const recorded = replay.takeQuestion(key);
    if (recorded && !asksForTheSame(recorded, checked)) throw otherThanRecorded(recorded, checked);
    const question = recorded ?? this.#newQuestion(checked, key);
    if (question.outcome !== null) return question;
    if (!recorded && attempt.isCancelled) return this.#neverAsked(question);

    const endCall = replay.begin();
    const { questionId } = question;
    if (check) this.#checks.set(questionId, check);
    try {
      return await this.#waitForOutcome(question, recorded !== null);
    } finally {
      this.#checks.delete(questionId);
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

function otherThanRecorded(recorded: QuestionData, now: CheckedRequest): ReplayMismatch {
  const { key, questionId, approval } = recorded;
  const details = { name: "ask", key, questionId };
  if (!approval || !now.approval) {
    const what = "with other choices or another schema than the handler asks for now";
    return new ReplayMismatch(`Question ${key} was recorded ${what}.`, details);
  }
  return new ReplayMismatch(
    `Question ${key} was recorded as an approval of "${approval.action}", but the handler now asks for ` +
      `"${now.approval.action}" or for other arguments. Make arguments in a step, so that they stay the ` +
      "same when the handler is run again.",
    details,
  );
}

async function outcomeOf(
  question: QuestionData,
  schema: QuestionRequest["schema"],
): Promise<Outcome> {
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
