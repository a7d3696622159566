import type { QueryClient } from "@tanstack/react-query";
import type { QuestionData } from "@/server/core/task-question.ts";
import { api } from "../api/api-client.ts";
import { type ApiError, readApiError } from "../api/api-error.ts";
import { showQuestion } from "../live/show-question.ts";
import { serverNow } from "../time/server-clock.ts";
import { clearDraft } from "./drafts.ts";
import { holdMillis, outbox, type Pending, type Said } from "./outbox.ts";
import { pendingSwitch } from "./pending-switch.ts";
import { undoPreference } from "./undo-preference.ts";

/** Answers the server takes in one call. */
const batchSize = 100;

/** Milliseconds for which an answer to these would be held back. */
export function holdFor(questions: readonly QuestionData[]): number {
  return undoPreference.get() ? holdMillis(questions, serverNow()) : 0;
}

/**
 * Says something to one question, or to several that are alike. It is held back for a moment, in which
 * it can be taken back, and then sent. What came of it is shown wherever the questions are.
 *
 * @param onDone called once it is no longer in this page's hands: held back, or taken by the server.
 */
export function say(
  client: QueryClient,
  questions: readonly QuestionData[],
  said: Said,
  onDone: () => void,
): void {
  const hold = holdFor(questions);
  pendingSwitch.turnOn();
  listenForTheEnd();
  outbox.add({ questions, said }, hold, {
    deliver: async (pending) => {
      const isTaken = await deliver(client, pending);
      if (isTaken && hold === 0) onDone();
    },
    deliverLeaving,
  });
  if (hold > 0) onDone();
}

let isListening = false;

// What is held goes out when the page is left. A page that is only hidden may never be told that it
// ends, and its timers are slowed down.
function listenForTheEnd(): void {
  if (isListening) return;
  isListening = true;
  addEventListener("pagehide", () => outbox.leave());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") outbox.sendNow();
  });
}

/** @returns whether any of it counted. */
async function deliver(client: QueryClient, { questions, said }: Pending): Promise<boolean> {
  const [first] = questions;
  if (first && (questions.length === 1 || said.kind === "decline")) {
    const all = await Promise.all(questions.map((question) => deliverOne(client, question, said)));
    return all.includes(true);
  }
  let isTaken = false;
  for (let at = 0; at < questions.length; at += batchSize) {
    const batch = questions.slice(at, at + batchSize);
    isTaken = (await deliverMany(client, batch, said)) || isTaken;
  }
  return isTaken;
}

async function deliverOne(
  client: QueryClient,
  question: QuestionData,
  said: Said,
): Promise<boolean> {
  const { questionId } = question;
  try {
    const { question: told } =
      said.kind === "answer"
        ? await api.questions.answer.mutate({ questionId, answer: said.answer })
        : await api.questions.decline.mutate({ questionId, reason: said.reason });
    taken(client, { ...question, ...(told as QuestionData) });
    return true;
  } catch (error) {
    refused(client, question, readApiError(error));
    return false;
  }
}

async function deliverMany(
  client: QueryClient,
  questions: readonly QuestionData[],
  said: Said,
): Promise<boolean> {
  const answer = said.kind === "answer" ? said.answer : null;
  const byId = new Map(questions.map((question) => [question.questionId, question]));
  try {
    const { results } = await api.questions.answerMany.mutate({
      answers: questions.map(({ questionId }) => ({ questionId, answer })),
    });
    for (const { questionId, result, question: told, error } of results) {
      const question = byId.get(questionId);
      if (!question) continue;
      const now = { ...question, ...(told as QuestionData | null) };
      if (result === "answered") taken(client, now);
      else if (error === null) late(client, now);
      else refused(client, question, { ...error, issues: [] });
    }
    return results.some(({ result }) => result === "answered");
  } catch (error) {
    for (const question of questions) refused(client, question, readApiError(error));
    return false;
  }
}

function taken(client: QueryClient, question: QuestionData): void {
  // An approval may need more people: what was typed for it is over all the same.
  clearDraft(question.questionId);
  clearDraft(`decline.${question.questionId}`);
  showQuestion(client, question);
}

function late(client: QueryClient, question: QuestionData): void {
  showQuestion(client, question);
  outbox.late(question);
}

function refused(client: QueryClient, question: QuestionData, error: ApiError): void {
  const { code, details } = error;
  if (code === "conflict" && typeof details.outcome === "string") {
    late(client, { ...question, ...(details as Partial<QuestionData>) });
  } else outbox.refuse(question, error);
}

// Not by the client of the API, which gathers calls for a moment that a page that goes away has not.
function deliverLeaving({ questions, said }: Pending): void {
  for (let at = 0; at < questions.length; at += batchSize) {
    const batch = questions.slice(at, at + batchSize);
    const [first] = batch;
    if (said.kind === "decline") {
      for (const { questionId } of batch) {
        post("questions.decline", { questionId, reason: said.reason });
      }
    } else if (first && questions.length === 1) {
      post("questions.answer", { questionId: first.questionId, answer: said.answer });
    } else {
      const answers = batch.map(({ questionId }) => ({ questionId, answer: said.answer }));
      post("questions.answerMany", { answers });
    }
  }
}

function post(procedure: string, input: object): void {
  void fetch(`/api/trpc/${procedure}`, {
    method: "POST",
    keepalive: true,
    credentials: "same-origin",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
    // Nobody is left to tell; the draft of what was typed is still there.
  }).catch(() => undefined);
}
