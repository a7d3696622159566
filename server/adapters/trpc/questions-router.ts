import { Conflict } from "../../core/errors.ts";
import type { TaskView } from "../../core/task.ts";
import type { TaskQuestion } from "../../core/task-question.ts";
import { answerInput, declineInput, listQuestionsInput, questionIdInput } from "./input-schemas.ts";
import { procedure, router } from "./trpc.ts";

export const questionsRouter = router({
  list: procedure.input(listQuestionsInput).query(async ({ ctx, input }) => {
    const { items, nextCursor } = await ctx.manager.listQuestions(input);
    const taskIds = [...new Set(items.map(({ taskId }) => taskId))];
    const views = await Promise.all(taskIds.map((taskId) => ctx.manager.getTaskView(taskId)));
    const tasks = new Map(views.map((task) => [task.taskId, task]));
    return { items: items.map((question) => withTask(question, tasks)), nextCursor };
  }),

  get: procedure
    .input(questionIdInput)
    .query(({ ctx, input }) => ctx.manager.getQuestion(input.questionId)),

  answer: procedure.input(answerInput).mutation(async ({ ctx, input }) => {
    const { actor, manager } = ctx;
    return winnerOf(await manager.answerQuestion(input.questionId, input.answer, { actor }));
  }),

  decline: procedure.input(declineInput).mutation(async ({ ctx, input }) => {
    const { questionId, reason } = input;
    return winnerOf(await ctx.manager.declineQuestion(questionId, { actor: ctx.actor, reason }));
  }),

  previousApproval: procedure.input(questionIdInput).query(async ({ ctx, input }) => {
    // Other tasks of the type may be somebody else's: an agent is told of its own one's only.
    const acrossTasks = ctx.actor.kind === "operator";
    return { previous: await ctx.manager.findPreviousApproval(input.questionId, { acrossTasks }) };
  }),

  seen: procedure.input(questionIdInput).mutation(async ({ ctx, input }) => {
    await ctx.manager.markQuestionSeen(input.questionId, { actor: ctx.actor });
    return {};
  }),
});

function withTask(question: TaskQuestion, tasks: ReadonlyMap<string, TaskView>) {
  const { type, status } = tasks.get(question.taskId) as TaskView;
  return { ...question.toJSON(), taskType: type, taskStatus: status };
}

/** @throws Conflict saying how the question ended, when this call did not decide it. */
function winnerOf({ won, question }: { won: boolean; question: TaskQuestion }) {
  if (won) return { question };
  throw new Conflict(`${outcomeInWords(question)} Nothing was changed by this call.`, {
    questionId: question.questionId,
    taskId: question.taskId,
    outcome: question.outcome,
    answer: question.answer,
    declineReason: question.declineReason,
    resolvedAt: question.resolvedAt,
    resolvedBy: question.resolvedBy,
  });
}

function outcomeInWords(question: TaskQuestion): string {
  const { outcome, resolvedAt, resolvedBy, questionId } = question;
  const by = resolvedBy ? ` by ${resolvedBy.name} (${resolvedBy.surface})` : "";
  const at = resolvedAt ? ` at ${resolvedAt}` : "";
  switch (outcome) {
    case "answered":
      return `Question ${questionId} was already answered${by}${at}.`;
    case "declined":
      return `Question ${questionId} was declined${by}${at}.`;
    case "timed_out":
      return `Question ${questionId} timed out: its deadline was ${question.deadline}.`;
    default:
      return `Question ${questionId} was closed${at}, because its task was cancelled or ended.`;
  }
}
