/**
 * toolthread's own fields as language models read them: in the seed's names. What belongs to a task's
 * author or to a customer (params, result, answers, schemas, context) is passed on untouched.
 */
import type { JsonValue } from "../../core/json.ts";
import type { TaskView } from "../../core/task.ts";
import type { QuestionData } from "../../core/task-question.ts";
import type { TaskTypeInfo } from "../../core/task-type.ts";
import type { PolledTask, ToldTask } from "./agent-tasks.ts";
import { type DigestedUpdate, digestUpdates } from "./update-digest.ts";

export type ToolFields = Record<string, JsonValue>;

export function toldTaskType(info: TaskTypeInfo): ToolFields {
  const { type, title, description, paramsSchema } = info;
  return { task_type: type, title, description, params_schema: paramsSchema };
}

export function toldPoll(response: PolledTask, maxChars: number): ToolFields {
  const { taskId, status, result, cursor, hasMore, progress, cancelRequested, notice } = response;
  const questions = response.pendingQuestions.map(toldQuestion);
  const { updates, leftOut } = digestUpdates(response.updates, maxChars);
  return {
    task_id: taskId,
    status,
    updates: updates.map(toldUpdate),
    ...(leftOut > 0 && { updates_left_out: leftOut }),
    pending_question: questions[0] ?? null,
    ...(questions.length > 1 && { pending_questions: questions }),
    result: result && {
      task_id: taskId,
      status: result.status,
      result: result.result,
      error: result.error,
      completed_at: result.completedAt,
    },
    cursor,
    ...(hasMore && { has_more: true }),
    ...(progress && { progress: toldProgress(progress) }),
    ...(cancelRequested && { cancel_requested: true }),
    ...(notice && { notice }),
  };
}

function toldUpdate({ update, merged }: DigestedUpdate): ToolFields {
  const { taskId, message, level, timestamp, updateId } = update;
  return {
    task_id: taskId,
    message,
    level,
    timestamp,
    update_id: updateId,
    ...(merged > 1 && { merged }),
  };
}

function toldProgress(progress: NonNullable<PolledTask["progress"]>): ToolFields {
  const { done, total, message, unit } = progress;
  return { done, total, message, ...(unit !== undefined && { unit }) };
}

/** A question with what is needed to put it to somebody, and how it ended once it has. */
export function toldQuestion(question: Readonly<QuestionData>): ToolFields {
  const { choices, schema, hasDefault, context, approval, outcome } = question;
  return {
    question_id: question.questionId,
    task_id: question.taskId,
    prompt: question.prompt,
    ...(choices && { choices: choices.map((choice) => ({ ...choice })) }),
    ...(question.multiple && { multiple: true }),
    ...(schema && !choices && { schema }),
    answerable_by: question.answerableBy,
    ...(question.urgency !== "normal" && { urgency: question.urgency }),
    ...(question.urgency !== "normal" && { urgency: question.urgency }),
    ...(question.secret && { secret: true }),
    ...(hasDefault && { default_value: question.defaultValue }),
    ...(context !== null && { context }),
    ...(approval && { approval: toldApproval(approval) }),
    timeout: question.timeout,
    asked_at: question.askedAt,
    deadline: question.deadline,
    answered_at: question.answeredAt,
    answer: question.answer,
    timed_out: outcome === "timed_out",
    ...(outcome && { outcome, resolved_by: question.resolvedBy?.name ?? null }),
    ...(question.declineReason !== null && { decline_reason: question.declineReason }),
  };
}

function toldApproval(approval: NonNullable<QuestionData["approval"]>): ToolFields {
  const { action, args, needed, given } = approval;
  return { action, args, approvals_needed: needed, approvals_given: given.length };
}

/** A task as lists show it. */
export function toldTaskView(task: TaskView): ToolFields {
  return {
    task_id: task.taskId,
    task_type: task.type,
    status: task.status,
    activity: task.activity,
    created_at: task.createdAt,
    started_at: task.startedAt,
    finished_at: task.finishedAt,
    open_questions: task.openQuestions,
    ...(task.progress && { progress: toldProgress(task.progress) }),
    ...(task.cancelRequestedAt && { cancel_requested: true }),
    ...(task.errorSummary !== null && { error: task.errorSummary }),
  };
}

export function toldTask(detail: ToldTask): ToolFields {
  const { task, params, result, error, questions } = detail;
  return {
    ...toldTaskView(task),
    params,
    result,
    error,
    questions: questions.map(toldQuestion),
    worked_seconds: detail.workedSeconds,
    waited_seconds: detail.waitedSeconds,
  };
}
