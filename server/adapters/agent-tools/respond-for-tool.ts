import type { z } from "zod";
import { TaskNotFound } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import type { QuestionData } from "../../core/task-question.ts";
import { answerCandidates } from "./answer-candidates.ts";
import { type ToolFields, toldQuestion } from "./snake-case.ts";
import { answerFailure, codeOf, type ToolFailure, toolFailure } from "./tool-failure.ts";
import type { respondInput } from "./tool-inputs.ts";
import type { ToolCall } from "./tool-specs.ts";

/** Answers or declines, and tells how the question ended where somebody else was first. */
export async function respondForTool(
  args: z.output<typeof respondInput>,
  { tasks }: ToolCall,
): Promise<ToolFields | ToolFailure> {
  const { task_id: taskId, question_id: questionId, answer, decline = false, reason } = args;
  if (decline === (answer !== undefined)) {
    return toolFailure("invalid_input", "Give either an answer, or decline: true.");
  }
  const question = await tasks.getQuestion(questionId);
  if (question.taskId !== taskId) {
    throw new TaskNotFound(`Task ${taskId} has no question ${questionId}.`);
  }
  try {
    const won = decline
      ? (await tasks.declineQuestion(questionId, { taskId, reason: reason ?? null })).won
      : await answerFirstThatFits(question, answer as JsonValue, tasks);
    if (won) return accepted(question, decline);
  } catch (thrown) {
    const { code, message } = codeOf(thrown);
    // A closed question may be told by an error: how it ended is then to be looked up.
    if (code === "internal") throw thrown;
    if (code !== "conflict") return answerFailure(code, message, question);
  }
  const closed = await tasks.getQuestion(questionId);
  return {
    task_id: taskId,
    question_id: questionId,
    answered: false,
    question: toldQuestion(closed),
    next_step: "The question was closed before, as told here. Call poll_task to go on.",
  };
}

/**
 * Answers with the first reading of it that the question takes: a refused answer leaves it open.
 *
 * @returns whether the answer won. @throws InvalidAnswer and what else an answer throws.
 */
export async function answerFirstThatFits(
  question: Readonly<QuestionData>,
  answer: JsonValue,
  tasks: ToolCall["tasks"],
): Promise<boolean> {
  const { taskId, questionId } = question;
  let refusal: unknown;
  for (const candidate of answerCandidates(question, answer)) {
    try {
      return await tasks.respondToQuestion(taskId, questionId, candidate);
    } catch (thrown) {
      if (codeOf(thrown).code !== "invalid_answer") throw thrown;
      // What the words that were sent lack is told, not what a reading of them lacks.
      refusal ??= thrown;
    }
  }
  throw refusal;
}

function accepted({ taskId, questionId }: Readonly<QuestionData>, declined: boolean): ToolFields {
  return {
    task_id: taskId,
    question_id: questionId,
    ...(declined ? { declined: true } : { answered: true }),
    next_step: "Call poll_task again with since = the last cursor.",
  };
}
