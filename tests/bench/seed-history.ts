import type { Actor } from "../../server/core/actor.ts";
import type { JsonValue } from "../../server/core/json.ts";
import type { TaskPayload, TaskRecord } from "../../server/core/task.ts";
import type { DraftEvent } from "../../server/core/task-draft.ts";
import { newQuestionData, type QuestionData } from "../../server/core/task-question.ts";
import { addSeconds, type EpochMicros, toTimestamp } from "../../server/core/timestamp.ts";
import { TaskOnPaper } from "../support/task-on-paper.ts";
import type { Random } from "./seed-numbers.ts";

export interface History {
  task: TaskRecord;
  payload: TaskPayload;
  events: DraftEvent[];
  questions: QuestionData[];
}

// What is still under way is among the newest, as many as a busy installation has at a time.
const liveAmong = 4000;
const longTimeSeconds = 10 * 365 * 86_400;

const types = [
  ["import_catalogue", 24],
  ["analyze_logs", 16],
  ["reconcile_payments", 14],
  ["refund_order", 11],
  ["send_newsletter", 9],
  ["transcribe_call", 8],
  ["deploy", 6],
  ["reindex_search", 5],
  ["export_invoices", 4],
  ["resize_images", 2],
  ["setup_database", 0.7],
  ["rotate_certificates", 0.05],
] as const;

const customers =
  "Northwind Contoso Fabrikam Initech Globex Hooli Umbrella Soylent Wayne Stark Acme Tyrell".split(
    " ",
  );
const nouns =
  "order invoice refund shipment parcel customer catalogue article price stock warehouse ledger balance account contract carrier supplier batch region currency payment newsletter segment recording speaker transcript index shard replica certificate".split(
    " ",
  );
const verbs =
  "read checked matched skipped merged wrote sent archived compared counted fetched stored".split(
    " ",
  );
const errors = [
  "TimeoutError: upstream answered 503 four times; giving up",
  "Error: ENOSPC: no space left on device, write '/var/lib/ledger/part'",
  "RangeError: quota exceeded for region europe-west",
  "TypeError: Cannot read properties of undefined (reading 'amount')",
  "ValidationError: currency EUR does not fit account currency USD",
  "ECONNREFUSED: connect 10.0.4.17:5432",
];
const people: Actor[] = ["Ada", "Grace", "Linus", "Margaret", "Dennis"].map((name) => ({
  kind: "operator",
  id: `user_${name.toLowerCase()}`,
  name,
  surface: "dashboard",
}));

/** One task with all that happened to it. @param age its place among all; the newest one's is 1. */
export function seedHistory(
  random: Random,
  { at, age }: { at: EpochMicros; age: number },
): History {
  const params = paramsOf(random);
  const task = new TaskOnPaper({
    taskId: `task_${random.id(20)}`,
    at,
    type: random.weighted(types),
    labels: labelsOf(random),
    params,
    actor: random.part() < 0.8 ? agentOf(random) : random.pick(people),
    runAt: null,
  });
  task.at = at;
  const isLive = age <= liveAmong && random.part() < 0.4;
  if (isLive && random.part() < 0.2) return delayed(task, params);
  work(random, task);
  if (!isLive) end(random, task);
  else if (random.part() < 0.65)
    task.do<"ask">({ kind: "ask", epoch: 1, question: ask(random, task) });
  return historyOf(task, params);
}

/** A queued task; far off, so that a server which opens the file does not set about it. */
function delayed(task: TaskOnPaper, params: JsonValue): History {
  task.record = { ...task.record, wakeAt: addSeconds(toTimestamp(task.at), longTimeSeconds) };
  return historyOf(task, params);
}

function work(random: Random, task: TaskOnPaper): void {
  const expiresAt = addSeconds(toTimestamp(task.at), longTimeSeconds);
  task.wait(random.seconds(0.3));
  task.do<"claim">({ kind: "claim", lease: { workerId: "w_seed", expiresAt } });
  const updates = 3 + random.below(5);
  const pace = random.seconds(4);
  for (let i = 0; i < updates; i += 1) {
    task.wait(random.seconds(pace));
    if (random.part() < 0.12) answer(random, task);
    task.do<"post_update">({
      kind: "post_update",
      epoch: 1,
      updateId: `u_${random.id(12)}`,
      level: random.weighted([
        ["info", 90],
        ["warning", 7],
        ["error", 3],
      ]),
      message: sentence(random, 6),
    });
  }
}

function answer(random: Random, task: TaskOnPaper): void {
  const question = task.do<"ask">({ kind: "ask", epoch: 1, question: ask(random, task) });
  const outcome = random.weighted([
    ["answered", 88],
    ["declined", 5],
    ["timed_out", 7],
  ] as const);
  task.wait(outcome === "timed_out" ? question.timeout : Math.min(random.seconds(90), 890));
  task.do<"resolve">({
    kind: "resolve",
    questionId: question.questionId,
    outcome,
    answer: outcome === "answered" ? random.pick(["yes", "no"]) : null,
    declineReason: null,
    actor: outcome === "timed_out" ? null : random.pick(people),
  });
}

function ask(random: Random, task: TaskOnPaper): QuestionData {
  return newQuestionData({
    taskId: task.record.taskId,
    questionId: `q_${random.id(16)}`,
    prompt: `Go on with the ${random.pick(nouns)} of ${random.pick(customers)}?`,
    askedAt: toTimestamp(task.at),
    timeout: 900,
    answerableBy: random.part() < 0.5 ? "operator" : "anyone",
    choices: [
      { value: "yes", label: "yes" },
      { value: "no", label: "no" },
    ],
  });
}

function end(random: Random, task: TaskOnPaper): void {
  task.wait(random.seconds(2));
  const status = random.weighted([
    ["completed", 90],
    ["failed", 7],
    ["cancelled", 3],
  ] as const);
  task.do<"finish">({
    kind: "finish",
    epoch: 1,
    status,
    result: status === "completed" ? resultOf(random) : null,
    error: status === "failed" ? random.pick(errors) : null,
  });
}

function historyOf(task: TaskOnPaper, params: JsonValue): History {
  const { record, ended, events } = task;
  // Open questions have a deadline far off, so that they stay what they are.
  const deadline = addSeconds(record.createdAt, longTimeSeconds);
  const questions = [...task.questions.values()].map((question) =>
    question.outcome === null ? { ...question, deadline } : question,
  );
  const payload = { params, result: ended?.result ?? null, error: ended?.error ?? null };
  return { task: record, payload, events, questions };
}

function agentOf(random: Random): Actor {
  const number = 1 + random.below(9);
  return { kind: "agent", id: `key_${number}`, name: `agent ${number}`, surface: "rest" };
}

function labelsOf(random: Random): Record<string, string> {
  const env = random.weighted([
    ["prod", 70],
    ["staging", 25],
    ["canary", 0.02],
  ] as const);
  return random.part() < 0.6 ? { env, customer: random.pick(customers) } : { env };
}

function paramsOf(random: Random): JsonValue {
  return {
    customer: random.pick(customers),
    orderId: random.below(10_000_000),
    files: Array.from({ length: 1 + random.below(3) }, () => `${random.pick(nouns)}.csv`),
    note: sentence(random, 8 + random.below(20)),
    trace: random.id(24),
  };
}

function resultOf(random: Random): JsonValue {
  return {
    rows: random.below(100_000),
    skipped: random.below(40),
    summary: sentence(random, 6 + random.below(10)),
  };
}

function sentence(random: Random, words: number): string {
  return Array.from({ length: words }, (_, i) => random.pick(i % 3 === 1 ? verbs : nouns)).join(
    " ",
  );
}
