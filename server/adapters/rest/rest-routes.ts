import { systemInstructions } from "../agent-tools/system-instructions.ts";
import { exportAuditInput, listAuditInput } from "../trpc/audit-inputs.ts";
import {
  answerInput,
  answerManyInput,
  cancelInput,
  claimInput,
  declineInput,
  exportTimelineInput,
  listQuestionsInput,
  pollInput,
  questionIdInput,
  rerunInput,
  startInput,
  taskIdInput,
} from "../trpc/input-schemas.ts";
import { listTasksInput } from "../trpc/list-tasks-input.ts";
import { exportAudit } from "./audit-export.ts";
import { driveRoutes } from "./drive-routes.ts";
import { manyRoutes } from "./many-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import {
  answeredManyResponse,
  auditPage,
  cancelledResponse,
  pollResponse,
  questionPage,
  questionResponse,
  questionSchema,
  startedResponse,
  taskDetail,
  taskPage,
  taskTypeList,
} from "./response-schemas.ts";
import { auditExportExample, taskEventsExample, timelineExample } from "./rest-examples.ts";
import type { RestRoute } from "./rest-route.ts";
import { streamTaskEvents, taskEventsInput } from "./task-event-stream.ts";
import { exportTimeline } from "./timeline-export.ts";

const createdOrOk = (result: unknown) => ((result as { created: boolean }).created ? 201 : 200);

/** Every route of the API but its own description. */
export const restRoutes: readonly RestRoute[] = [
  {
    method: "GET",
    path: "/task-types",
    procedure: "tasks.types",
    input: null,
    output: taskTypeList,
    summary: "List the task types that can be started",
    codes: [],
  },
  {
    method: "GET",
    path: "/instructions",
    procedure: "tasks.types",
    input: null,
    output: null,
    summary: "Read what a language model is to be told about the tools and the task types",
    codes: [],
    content: {
      produces: ["text/markdown"],
      example:
        "# Long-running tasks\n\nSome of your tools start work that goes on in the background…\n",
      answer: async ({ context }) => markdown(systemInstructions(context.tasks.taskTypes())),
    },
  },
  {
    method: "POST",
    path: "/tasks",
    procedure: "tasks.start",
    input: startInput,
    output: startedResponse,
    summary: "Start a task",
    description:
      "201 with the address of the task in `Location`; 200 when the idempotency key had started it " +
      "before, so that a start can be repeated when its answer was lost.",
    headers: { "Idempotency-Key": "idempotencyKey" },
    status: createdOrOk,
    codes: ["unknown_task_type", "invalid_params", "idempotency_conflict"],
  },
  {
    method: "GET",
    path: "/tasks",
    procedure: "tasks.list",
    input: listTasksInput,
    output: taskPage,
    summary: "List tasks, newest first or in another order",
    codes: [],
  },
  {
    method: "GET",
    path: "/tasks/{taskId}",
    procedure: "tasks.get",
    input: taskIdInput,
    output: taskDetail,
    summary: "Get a task with its parameters, questions and result",
    codes: ["task_not_found"],
  },
  {
    method: "GET",
    path: "/tasks/{taskId}/poll",
    procedure: "tasks.poll",
    input: pollInput,
    output: pollResponse,
    summary: "Wait for news of a task: updates, questions, the result",
    description:
      "Answers as soon as there is news after `since`, or after `timeout` seconds without any. Pass the " +
      "`cursor` of each response as the next `since`, and nothing is lost or told twice.",
    codes: ["task_not_found", "invalid_cursor"],
  },
  {
    method: "GET",
    path: "/tasks/{taskId}/events",
    procedure: "live.task",
    input: taskEventsInput,
    output: null,
    summary: "Stream the timeline of a task",
    description:
      "Server-sent events: the timeline from its beginning, then what happens, until the task ends. " +
      "The id of an event is its `seq`; a client that lost the connection sends it back as " +
      "`Last-Event-ID` and goes on from there. `progress` events have no id. 204 when the task has " +
      "ended and there is nothing more to tell, which ends an EventSource for good.",
    headers: { "Last-Event-ID": null },
    codes: ["task_not_found"],
    content: {
      produces: ["text/event-stream"],
      example: taskEventsExample,
      answer: streamTaskEvents,
    },
  },
  {
    method: "GET",
    path: "/tasks/{taskId}/timeline",
    procedure: "tasks.events",
    input: exportTimelineInput,
    output: null,
    summary: "Save a task with its whole timeline as JSON or text",
    codes: ["task_not_found"],
    content: {
      produces: ["application/json", "text/plain"],
      example: timelineExample,
      answer: exportTimeline,
    },
  },
  {
    method: "POST",
    path: "/tasks/{taskId}/rerun",
    procedure: "tasks.rerun",
    input: rerunInput,
    output: startedResponse,
    summary: "Start a finished task again, with the same parameters or others",
    headers: { "Idempotency-Key": "idempotencyKey" },
    status: createdOrOk,
    codes: [
      "task_not_found",
      "invalid_params",
      "unknown_task_type",
      "conflict",
      "idempotency_conflict",
    ],
  },
  {
    method: "POST",
    path: "/tasks/{taskId}/cancel",
    procedure: "tasks.cancel",
    input: cancelInput,
    output: cancelledResponse,
    summary: "Ask a task to end",
    description:
      "Its open questions are closed and its handler is told, which may still clean up. `cancelled` is " +
      "false when the task had already ended.",
    codes: ["task_not_found"],
  },
  {
    method: "GET",
    path: "/questions",
    procedure: "questions.list",
    input: listQuestionsInput,
    output: questionPage,
    summary: "List open questions, or resolved ones, latest first",
    codes: [],
  },
  {
    method: "GET",
    path: "/questions/{questionId}",
    procedure: "questions.get",
    input: questionIdInput,
    output: questionSchema,
    summary: "Get a question",
    codes: ["task_not_found"],
  },
  {
    method: "POST",
    path: "/questions/{questionId}/answer",
    procedure: "questions.answer",
    input: answerInput,
    output: questionResponse,
    summary: "Answer a question",
    description:
      "The first answer wins. Whoever comes second is told in a 409 how the question ended; the same " +
      "caller may repeat the answer that won. One that does not fit leaves the question open.",
    codes: ["task_not_found", "invalid_answer", "conflict", "grant_refused"],
  },
  {
    method: "POST",
    path: "/questions/answers",
    procedure: "questions.answerMany",
    input: answerManyInput,
    output: answeredManyResponse,
    summary: "Answer several questions, each for itself",
    description:
      "One that is refused says why, and keeps none of the others. Not for approvals and secrets.",
    codes: [],
  },
  {
    method: "POST",
    path: "/questions/{questionId}/decline",
    procedure: "questions.decline",
    input: declineInput,
    output: questionResponse,
    summary: "Decline a question",
    description: "The task is told that nobody answers, and why. 409 when the question is closed.",
    codes: ["task_not_found", "conflict"],
  },
  {
    method: "POST",
    path: "/questions/{questionId}/claim",
    procedure: "questions.claim",
    input: claimInput,
    output: questionResponse,
    summary: "Say that you are seeing to a question",
    description: "For ten minutes. 409 when somebody else is. For people only.",
    codes: ["task_not_found", "conflict"],
  },
  {
    method: "POST",
    path: "/questions/{questionId}/release",
    procedure: "questions.release",
    input: questionIdInput,
    output: questionResponse,
    summary: "Take such a claim back",
    description: "409 when it is somebody else's.",
    codes: ["task_not_found", "conflict"],
  },
  {
    method: "GET",
    path: "/audit",
    procedure: "audit.list",
    input: listAuditInput,
    output: auditPage,
    summary: "List who did what, newest first",
    codes: [],
  },
  {
    method: "GET",
    path: "/audit/export",
    procedure: "audit.list",
    input: exportAuditInput,
    output: null,
    summary: "Save the whole audit log as JSON lines or CSV",
    codes: [],
    content: {
      produces: ["application/x-ndjson", "text/csv"],
      example: auditExportExample,
      answer: exportAudit,
    },
  },
  ...manyRoutes,
  ...overviewRoutes,
  ...driveRoutes,
];

function markdown(text: string): Response {
  return new Response(text, {
    headers: { "content-type": "text/markdown; charset=utf-8", "cache-control": "no-store" },
  });
}
