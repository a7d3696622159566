import { Forbidden, isToolthreadError } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import type { TaskQuestion } from "../../core/task-question.ts";
import type { CallersTasks } from "../../identity/callers-tasks.ts";

interface OneAnswer {
  questionId: string;
  answer: JsonValue;
}

export interface OneResult {
  questionId: string;
  /** `closed`: somebody, or the deadline, was first; `question` says who. `refused`: see `error`. */
  result: "answered" | "closed" | "refused";
  question: TaskQuestion | null;
  error: { code: string; message: string; details: Record<string, unknown> } | null;
}

/**
 * Answers many questions, each for itself. An approval and a secret are looked at and given one by
 * one, so neither is taken here, from nobody.
 *
 * @throws what nobody foresaw of any of them, once all have been tried.
 */
export async function answerMany(
  tasks: CallersTasks,
  answers: readonly OneAnswer[],
): Promise<OneResult[]> {
  const tried = await Promise.allSettled(answers.map((each) => answerOne(tasks, each)));
  return tried.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

async function answerOne(
  tasks: CallersTasks,
  { questionId, answer }: OneAnswer,
): Promise<OneResult> {
  try {
    const { approval, secret } = await tasks.getQuestion(questionId);
    if (approval !== null || secret) {
      const what = approval === null ? "A secret" : "An approval";
      throw new Forbidden(`${what} is given for one question at a time.`, { questionId });
    }
    const { won, question } = await tasks.answerQuestion(questionId, answer);
    return { questionId, result: won ? "answered" : "closed", question, error: null };
  } catch (error) {
    if (!isToolthreadError(error)) throw error;
    const { code, message, details } = error;
    return { questionId, result: "refused", question: null, error: { code, message, details } };
  }
}
