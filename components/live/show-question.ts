import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { QuestionData } from "@/server/core/task-question.ts";
import { type ListedQuestion, mergeQuestionPages } from "./merge-pages.ts";
import { rememberQuestion } from "./newest.ts";

type Pages = InfiniteData<{ items: ListedQuestion[]; nextCursor: string | null }, string | null>;

/** Brings a question as the server just told it to every place that shows it. */
export function showQuestion(client: QueryClient, question: QuestionData): void {
  // The lists that hold it have its task's type beside it, which is kept where they merge.
  const listed = question as ListedQuestion;
  rememberQuestion(listed, Date.now());
  const changed = new Map([[question.questionId, listed]]);
  client.setQueryData<Pages>(["questions", "open"], (pages) =>
    pages ? { ...pages, pages: mergeQuestionPages(pages.pages, changed) } : pages,
  );
  client.setQueryData<{ questions: QuestionData[] }>(["task", question.taskId], (detail) => {
    if (!detail) return detail;
    const questions = detail.questions.map((each) =>
      each.questionId === question.questionId ? question : each,
    );
    return { ...detail, questions };
  });
  void client.invalidateQueries({ queryKey: ["stats"] });
}
