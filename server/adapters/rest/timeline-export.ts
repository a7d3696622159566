import { eventLine, questionsById } from "../../core/event-text.ts";
import type { TaskEvent } from "../../core/task-event.ts";
import type { QuestionData } from "../../core/task-question.ts";
import type { TaskDetail } from "../../engine/task-detail.ts";
import { exportTimelineInput } from "../trpc/input-schemas.ts";
import { downloadResponse } from "./download-response.ts";
import type { RestCall } from "./rest-route.ts";

/**
 * A task with its whole timeline as a file to save, however long it is: a JSON document, or a text
 * with a line for each entry.
 *
 * @throws TaskNotFound, Forbidden, and zod's error for a format that is none.
 */
export async function exportTimeline({ request, input, context }: RestCall): Promise<Response> {
  const { tasks } = context;
  const { taskId, format } = exportTimelineInput.parse(input);
  const pages = tasks.readTimeline(taskId, request.signal);
  const first = await pages.next();
  const detail = await tasks.getTask(taskId);
  const questions = detail.questions.map((question) => question.toJSON());
  const parts = format === "json" ? jsonParts(detail, questions) : textParts(detail, questions);
  const name = detail.task.taskId.replace(/[^\w.-]/g, "_");
  return downloadResponse({ ...parts, fileName: `${name}.${parts.extension}`, first, pages });
}

function jsonParts(detail: TaskDetail, questions: QuestionData[]) {
  const head = JSON.stringify({ ...detail, questions }).slice(0, -1);
  return {
    extension: "json",
    type: "application/json; charset=utf-8",
    head: `${head},"events":[\n`,
    foot: "\n]}\n",
    textOf: (page: TaskEvent[], isFirst: boolean) =>
      (isFirst ? "" : ",\n") + page.map((event) => JSON.stringify(event)).join(",\n"),
  };
}

function textParts({ task, params, error }: TaskDetail, questions: QuestionData[]) {
  const byId = questionsById(questions);
  const facts = [
    `Task ${task.taskId}, of the type ${task.type}: ${task.status}`,
    `Parameters: ${JSON.stringify(params)}`,
    ...(error === null ? [] : [`Error: ${error}`]),
  ];
  return {
    extension: "txt",
    type: "text/plain; charset=utf-8",
    head: `${facts.join("\n")}\n\n`,
    foot: "",
    textOf: (page: TaskEvent[]) =>
      page
        .map((event) =>
          eventLine(event, "questionId" in event ? (byId.get(event.questionId) ?? null) : null),
        )
        .join(""),
  };
}
