import type { Actor } from "../../core/actor.ts";
import { plainStart } from "../../core/plain-start.ts";
import { newTaskRecord } from "../../core/state-machine.ts";
import type { TaskView } from "../../core/task.ts";
import { type QuestionData, type QuestionFields, TaskQuestion } from "../../core/task-question.ts";
import { parseTimestamp, type Timestamp } from "../../core/timestamp.ts";
import type { TaskDetail } from "../../engine/task-detail.ts";
import { overviewExample, statsExample } from "./overview-examples.ts";

/**
 * One example for each operation, all from the life of one deployment that asks before it goes on.
 * They are in the description of the API; tests hold them against its schemas.
 */
export interface RestExample {
  /** By name, for parameters in path, query and headers. */
  params?: Record<string, string | number | string[]>;
  body?: object;
  /** Of a stream the text is its own. */
  response?: unknown;
}

const taskId = "task_6FkN2vQwXyBt8rLmZpDc4s8w";
const questionId = "q_3HtWm9RkPzVx7nYqLdGb2f";

const agent: Actor = { kind: "agent", id: "key_4Tn8", name: "Release bot", surface: "rest" };
const person: Actor = { kind: "operator", id: "user_7Kd2", name: "Ann", surface: "dashboard" };

const at = (second: string) => `2026-11-30T17:04:${second}Z` as Timestamp;

const asked: QuestionFields = {
  questionId,
  taskId,
  key: "proceed",
  prompt: "Pre-deploy found 2 issues. Proceed anyway?",
  askedAt: at("06.120450"),
  choices: [
    { value: "yes", label: "yes" },
    { value: "no", label: "no" },
  ],
  lastSeq: 4,
};
const question = (changes: Partial<QuestionData> = {}) =>
  new TaskQuestion({ ...asked, ...changes }).toJSON();

const openQuestion = question();
const resolved = { resolvedAt: at("31.004200"), resolvedBy: person, lastSeq: 5 };
const answered = question({
  ...resolved,
  outcome: "answered",
  answer: "yes",
  answeredAt: resolved.resolvedAt,
});
const claimed = question({
  claimedBy: person,
  claimedUntil: "2026-11-30T17:14:11.500000Z" as Timestamp,
  lastSeq: 5,
});
const declined = question({
  ...resolved,
  outcome: "declined",
  declineReason: "Not on a Friday",
});

const update = {
  taskId,
  message: "Found 2 issues",
  level: "warning",
  timestamp: at("06.119000"),
  updateId: "u_9PwXc4",
};

const task: TaskView = {
  ...newTaskRecord({
    ...plainStart,
    taskId,
    type: "deploy",
    at: parseTimestamp(at("05.000123")),
    actor: agent,
    labels: { team: "core" },
    idempotencyKey: "release-812",
  }),
  status: "waiting_for_input",
  activity: "waiting",
  startedAt: at("05.000124"),
  attempt: 1,
  epoch: 1,
  lastSeq: 4,
  lastEventAt: at("06.120450"),
  openQuestions: 1,
  workedSeconds: 1.12,
};

const started = { taskId, status: "running", created: true };

const driverId = "ci-812";
const driverState = {
  taskId,
  status: "running",
  cancelRequested: false,
  cancelReason: null,
  leaseExpiresAt: "2026-11-30T17:05:05.000123Z",
};

const driveExamples: Record<string, RestExample> = {
  "POST /drive": {
    params: { "Idempotency-Key": "release-812" },
    body: { type: "ci/deploy", driverId, params: { commit: "4f1a2c" } },
    response: { ...driverState, driverId, created: true },
  },
  "POST /drive/{taskId}/heartbeat": {
    params: { taskId },
    body: { driverId },
    response: driverState,
  },
  "POST /drive/{taskId}/update": {
    params: { taskId },
    body: { driverId, message: "Uploaded 3 artefacts", sequence: 1 },
    response: driverState,
  },
  "POST /drive/{taskId}/progress": {
    params: { taskId },
    body: { driverId, done: 3, total: 8 },
    response: driverState,
  },
  "POST /drive/{taskId}/ask": {
    params: { taskId },
    body: { driverId, key: "go", prompt: "Deploy?", choices: ["yes", "no"], wait: 30 },
    response: {
      ...driverState,
      questionId,
      outcome: "answered",
      answer: "yes",
      defaultUsed: false,
      defaultValue: null,
      declineReason: null,
      by: person.name,
      deadline: openQuestion.deadline,
    },
  },
  "POST /drive/{taskId}/finish": {
    params: { taskId },
    body: { driverId, status: "completed", result: { version: "8.1.2" } },
    response: { ...driverState, status: "completed", leaseExpiresAt: null },
  },
};

/** By method and path. */
export const restExamples: Readonly<Record<string, RestExample>> = {
  "GET /task-types": {
    response: [
      {
        type: "deploy",
        title: "Deploy",
        description: "Checks an environment, asks whether to proceed, and deploys.",
        paramsSchema: {
          type: "object",
          properties: { env: { type: "string" } },
          required: ["env"],
          additionalProperties: false,
        },
        example: false,
      },
    ],
  },
  "POST /tasks": {
    params: { "Idempotency-Key": "release-812" },
    body: { type: "deploy", params: { env: "production" }, labels: { team: "core" } },
    response: started,
  },
  "GET /tasks": {
    params: { statuses: ["running", "waiting_for_input"], limit: 20 },
    response: { items: [task], nextCursor: null },
  },
  "GET /tasks/{taskId}": {
    params: { taskId },
    response: {
      task,
      workedSeconds: 1.12,
      waitedSeconds: 9.4,
      params: { env: "production" },
      result: null,
      error: null,
      isTypeKnown: true,
      cancelGrace: 30,
      questions: [openQuestion],
    } satisfies Omit<TaskDetail, "questions"> & { questions: object[] },
  },
  "GET /tasks/{taskId}/poll": {
    params: { taskId, since: "c_2_ZpDc4s8w", timeout: 30, waitFor: "input_or_result" },
    response: {
      taskId,
      status: "waiting_for_input",
      updates: [update],
      pendingQuestion: openQuestion,
      pendingQuestions: [openQuestion],
      result: null,
      cursor: "c_4_ZpDc4s8w",
      hasMore: false,
      progress: null,
      cancelRequested: false,
      notice: null,
    },
  },
  "GET /instructions": {},
  "GET /tasks/{taskId}/timeline": { params: { taskId, format: "json" } },
  "GET /tasks/{taskId}/events": { params: { taskId, "Last-Event-ID": "2" } },
  "POST /tasks/{taskId}/rerun": {
    params: { taskId, "Idempotency-Key": "release-812-again" },
    body: { params: { env: "staging" } },
    response: { ...started, taskId: "task_2BvYq8NcKwTz5hRmXsJd7g" },
  },
  "POST /tasks/{taskId}/cancel": {
    params: { taskId },
    body: { reason: "The release was withdrawn" },
    response: { cancelled: true, status: "waiting_for_input" },
  },
  "GET /questions": {
    params: { state: "open", limit: 50 },
    response: {
      items: [
        { ...openQuestion, taskType: "deploy", taskStatus: "waiting_for_input", tasksBehind: 0 },
      ],
      nextCursor: null,
    },
  },
  "GET /questions/{questionId}": { params: { questionId }, response: openQuestion },
  "POST /questions/{questionId}/answer": {
    params: { questionId },
    body: { answer: "yes" },
    response: { question: answered },
  },
  "POST /questions/answers": {
    body: { answers: [{ questionId, answer: "yes" }] },
    response: {
      results: [{ questionId, result: "answered", question: answered, error: null }],
    },
  },
  "POST /questions/{questionId}/decline": {
    params: { questionId },
    body: { reason: "Not on a Friday" },
    response: { question: declined },
  },
  "POST /questions/{questionId}/claim": {
    params: { questionId },
    body: {},
    response: { question: claimed },
  },
  "POST /questions/{questionId}/release": {
    params: { questionId },
    response: { question: openQuestion },
  },
  "POST /tasks/cancellations": {
    body: { taskIds: [taskId], reason: "The release was withdrawn" },
    response: { outcomes: [{ taskId, did: "cancelled", error: null }] },
  },
  "POST /tasks/reruns": {
    body: { taskIds: [taskId] },
    response: { outcomes: [{ taskId, did: "task_2BvYq8NcKwTz5hRmXsJd7g", error: null }] },
  },
  "GET /overview": { params: { range: "24h" }, response: overviewExample },
  "GET /stats": { response: statsExample },
  ...driveExamples,
  "GET /audit/export": { params: { format: "jsonl", from: "2026-11-01" } },
  "GET /audit": {
    params: { action: ["question.answered"], limit: 50 },
    response: {
      items: [
        {
          auditId: 4711,
          at: at("31.004200"),
          action: "question.answered",
          actor: { kind: "operator", id: person.id, name: person.name },
          keyOwnerId: null,
          surface: "dashboard",
          address: "192.0.2.7",
          taskId,
          taskType: "deploy",
          questionId,
          details: { prompt: openQuestion.prompt, answer: "yes" },
        },
      ],
      nextCursor: null,
    },
  },
};

/** What is refused reads like this everywhere. */
export const problemExample = {
  title: "Conflict",
  status: 409,
  detail: `Question ${questionId} was already answered by Ann (dashboard) at ${at("31.004200")}. Nothing was changed by this call.`,
  code: "conflict",
  details: { questionId, taskId, outcome: "answered", answer: "yes" },
};

const streamed = (id: number, event: object) =>
  `id: ${id}\ndata: ${JSON.stringify({ seq: id, ...event })}\n\n`;

export const taskEventsExample =
  streamed(3, { kind: "update", level: "warning", message: update.message, taskId }) +
  streamed(4, { kind: "question_opened", questionId, prompt: openQuestion.prompt, taskId });

export const timelineExample = `{"task":{"taskId":"${taskId}"},"events":[\n{"seq":1,"kind":"task_created"}\n]}\n`;

export const auditExportExample = `{"auditId":4711,"at":"${at("31.004200")}","action":"question.answered","taskId":"${taskId}"}\n`;
