import type { z } from "zod";
import { listAuditInput } from "../trpc/audit-inputs.ts";
import {
  answerInput,
  answerManyInput,
  cancelInput,
  claimInput,
  declineInput,
  listQuestionsInput,
  pollInput,
  questionIdInput,
  rerunInput,
  startInput,
  taskIdInput,
} from "../trpc/input-schemas.ts";
import { listTasksInput } from "../trpc/list-tasks-input.ts";
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

export interface RestRoute {
  method: "GET" | "POST";
  /** Below the root of the API; `{name}` is a parameter that goes into the input. */
  path: string;
  /** The tRPC procedure that does it. */
  procedure: string;
  /** The procedure's input; null when it takes none. */
  input: z.ZodObject | null;
  /** What it answers, for the description of the API. */
  output: z.ZodType;
  summary: string;
  /** The status of a success, from what the procedure returned. */
  status(result: unknown): number;
  /** Statuses of refusals beside those that every route has. */
  refusals: number[];
}

const ok = () => 200;
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
    status: ok,
    refusals: [],
  },
  {
    method: "POST",
    path: "/tasks",
    procedure: "tasks.start",
    input: startInput,
    output: startedResponse,
    summary: "Start a task; 200 instead of 201 when the idempotency key had started it before",
    status: createdOrOk,
    refusals: [400, 409],
  },
  {
    method: "GET",
    path: "/tasks",
    procedure: "tasks.list",
    input: listTasksInput,
    output: taskPage,
    summary: "List tasks, newest first or in another order",
    status: ok,
    refusals: [400],
  },
  {
    method: "GET",
    path: "/tasks/{taskId}",
    procedure: "tasks.get",
    input: taskIdInput,
    output: taskDetail,
    summary: "Get a task with its parameters, questions and result",
    status: ok,
    refusals: [404],
  },
  {
    method: "GET",
    path: "/tasks/{taskId}/poll",
    procedure: "tasks.poll",
    input: pollInput,
    output: pollResponse,
    summary: "Wait for news of a task: updates, questions, the result",
    status: ok,
    refusals: [400, 404],
  },
  {
    method: "POST",
    path: "/tasks/{taskId}/rerun",
    procedure: "tasks.rerun",
    input: rerunInput,
    output: startedResponse,
    summary: "Start a finished task again, with the same parameters or others",
    status: createdOrOk,
    refusals: [400, 404, 409],
  },
  {
    method: "POST",
    path: "/tasks/{taskId}/cancel",
    procedure: "tasks.cancel",
    input: cancelInput,
    output: cancelledResponse,
    summary: "Ask a task to end; `cancelled` is false when it had already ended",
    status: ok,
    refusals: [400, 404],
  },
  {
    method: "GET",
    path: "/questions",
    procedure: "questions.list",
    input: listQuestionsInput,
    output: questionPage,
    summary: "List open questions by deadline, or resolved ones, latest first",
    status: ok,
    refusals: [400],
  },
  {
    method: "GET",
    path: "/questions/{questionId}",
    procedure: "questions.get",
    input: questionIdInput,
    output: questionSchema,
    summary: "Get a question",
    status: ok,
    refusals: [404],
  },
  {
    method: "POST",
    path: "/questions/{questionId}/answer",
    procedure: "questions.answer",
    input: answerInput,
    output: questionResponse,
    summary: "Answer a question; 409 with its outcome when it is closed",
    status: ok,
    refusals: [400, 403, 404, 409],
  },
  {
    method: "POST",
    path: "/questions/answers",
    procedure: "questions.answerMany",
    input: answerManyInput,
    output: answeredManyResponse,
    summary: "Answer several questions, each for itself; not for approvals and secrets",
    status: ok,
    refusals: [400, 403],
  },
  {
    method: "POST",
    path: "/questions/{questionId}/decline",
    procedure: "questions.decline",
    input: declineInput,
    output: questionResponse,
    summary: "Refuse to answer a question; 409 with its outcome when it is closed",
    status: ok,
    refusals: [400, 403, 404, 409],
  },
  {
    method: "POST",
    path: "/questions/{questionId}/claim",
    procedure: "questions.claim",
    input: claimInput,
    output: questionResponse,
    summary:
      "Say that you are seeing to a question, for ten minutes; 409 when somebody else is. People only",
    status: ok,
    refusals: [400, 403, 404, 409],
  },
  {
    method: "POST",
    path: "/questions/{questionId}/release",
    procedure: "questions.release",
    input: questionIdInput,
    output: questionResponse,
    summary: "Take such a claim back; 409 when it is somebody else's",
    status: ok,
    refusals: [400, 403, 404, 409],
  },
  {
    method: "GET",
    path: "/audit",
    procedure: "audit.list",
    input: listAuditInput,
    output: auditPage,
    summary: "List who did what, newest first; /audit/export gives all of it as JSON lines or CSV",
    status: ok,
    refusals: [400],
  },
];
