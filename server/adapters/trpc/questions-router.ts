import { Conflict } from "../../core/errors.ts";
import type { TaskQuestion } from "../../core/task-question.ts";
import { answerMany } from "./answer-many.ts";
import {
  answerInput,
  answerManyInput,
  claimInput,
  declineInput,
  listQuestionsInput,
  questionIdInput,
} from "./input-schemas.ts";
import { withTasks } from "./listed-questions.ts";
import { procedure, router } from "./trpc.ts";

export const questionsRouter = router({
  list: procedure("tasks:read")
    .input(listQuestionsInput)
    .query(async ({ ctx, input }) => {
      const { items, nextCursor } = await ctx.tasks.listQuestions(input);
      return { items: await withTasks(items, ctx.tasks), nextCursor };
    }),

  get: procedure("tasks:read")
    .input(questionIdInput)
    .query(({ ctx, input }) => ctx.tasks.getQuestion(input.questionId)),

  answer: procedure("questions:answer")
    .input(answerInput)
    .mutation(async ({ ctx, input }) =>
      winnerOf(await ctx.tasks.answerQuestion(input.questionId, input.answer)),
    ),

  /** Answers several at once, each for itself: what one of them comes to changes nothing for another. */
  answerMany: procedure("questions:answer")
    .input(answerManyInput)
    .mutation(async ({ ctx, input }) => ({ results: await answerMany(ctx.tasks, input.answers) })),

  /** Whether an answer would fit: a form says so at its fields before it sends anything. */
  check: procedure("questions:answer")
    .input(answerInput)
    .mutation(async ({ ctx, input }) => {
      await ctx.tasks.checkAnswer(input.questionId, input.answer);
      return {};
    }),

  decline: procedure("questions:answer")
    .input(declineInput)
    .mutation(async ({ ctx, input }) =>
      winnerOf(await ctx.tasks.declineQuestion(input.questionId, input.reason)),
    ),

  /** "I am on it": it is shown to everybody, and keeps nobody from answering. */
  claim: procedure("questions:claim")
    .input(claimInput)
    .mutation(async ({ ctx, input }) => {
      const { claimed, question } = await ctx.tasks.claimQuestion(input.questionId, input.takeOver);
      return claimed ? { question } : refuseClaim(question, "Pass `takeOver` to take it over.");
    }),

  release: procedure("questions:claim")
    .input(questionIdInput)
    .mutation(async ({ ctx, input }) => {
      const { released, question } = await ctx.tasks.releaseQuestion(input.questionId);
      return released ? { question } : refuseClaim(question, "Only they can let go of it.");
    }),

  previousApproval: procedure("tasks:read")
    .input(questionIdInput)
    .query(async ({ ctx, input }) => ({
      previous: await ctx.tasks.findPreviousApproval(input.questionId),
    })),

  seen: procedure("tasks:read")
    .input(questionIdInput)
    .mutation(async ({ ctx, input }) => {
      await ctx.tasks.markQuestionSeen(input.questionId);
      return {};
    }),
});

/** @throws Conflict saying how the question ended, when this call did not decide it. */
function winnerOf({ won, question }: { won: boolean; question: TaskQuestion }) {
  return won ? { question } : refuseClosed(question);
}

/** @throws Conflict saying who is on the question, or how it ended. */
function refuseClaim(question: TaskQuestion, hint: string): never {
  const { questionId, taskId, claimedBy, claimedUntil } = question;
  if (question.outcome !== null) refuseClosed(question);
  throw new Conflict(
    `${claimedBy?.name ?? "Somebody"} is on question ${questionId} until ${claimedUntil}. ${hint}`,
    { questionId, taskId, outcome: null, claimedBy, claimedUntil },
  );
}

function refuseClosed(question: TaskQuestion): never {
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
