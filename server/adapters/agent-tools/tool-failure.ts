import { isToolthreadError } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import type { QuestionData } from "../../core/task-question.ts";
import { type ToolFields, toldQuestion } from "./snake-case.ts";

/** A call that did nothing, in words that tell a language model what to do instead. */
export interface ToolFailure {
  error: {
    code: string;
    message: string;
    next_step: string;
    [more: string]: JsonValue;
  };
}

export function isToolFailure(result: ToolFields | ToolFailure): result is ToolFailure {
  return typeof result.error === "object" && result.error !== null && "next_step" in result.error;
}

export const operatorsOnly =
  "Only an operator can answer this question, signed in to the toolthread dashboard: no tool can. " +
  "Tell the customer who must answer and what is asked, and go on polling with poll_task, since = " +
  'the last cursor, wait_for = "input_or_result".';

const retryLater = "Nothing was changed. Wait a few seconds and call the tool again.";

const nextSteps: Readonly<Record<string, string>> = {
  invalid_input: "Correct the arguments that the message names and call the tool again.",
  unknown_task_type:
    "Start one of the task types that the message names; list_task_types describes them.",
  invalid_params:
    "Correct the parameters that the message names and call start_task again. Ask the customer for " +
    "what you do not know.",
  invalid_answer:
    "The question is still open. Call respond_to_question again with an answer of the kind that is " +
    "asked for; ask the customer again if theirs does not tell.",
  invalid_cursor:
    "Pass the cursor of the last poll_task response for this very task, or leave since out to see " +
    "everything from the start.",
  task_not_found:
    "Check the ids: use those that start_task and poll_task returned. list_tasks shows the tasks " +
    "there are.",
  idempotency_conflict:
    "This idempotency_key belongs to another start. Use a new one, or repeat that start unchanged.",
  conflict: "Call poll_task to see where the task stands now.",
  forbidden: "You may not do this. Tell the customer; do not try again.",
  unauthorized:
    "The key of this agent does not count here. Tell the customer that toolthread needs a valid key.",
  too_many_attempts: "Wait a minute before the next call.",
  too_many_calls: "Wait as long as the message says. Poll with a timeout instead of calling often.",
  too_large: "Send less: shorten the arguments.",
  shutting_down: retryLater,
  store_unavailable: retryLater,
  server_unreachable:
    "The toolthread server does not answer. Wait a while and call the tool again; if that does not help, " +
    "tell the customer.",
  client_gone: "The call was ended before it was done. Call the tool again.",
};

const ofOthers = "Tell the customer what the message says; the same call will fail again.";

const ofUnexpected =
  "This is a mistake on the server's side. Tell the customer, and try again once before you give up.";

/** @param more facts beside the message, for example what would have fitted. */
export function toolFailure(code: string, message: string, more: ToolFields = {}): ToolFailure {
  return { error: { code, message, next_step: nextStepAfter(code), ...more } };
}

function nextStepAfter(code: string): string {
  return nextSteps[code] ?? (code === "internal" ? ofUnexpected : ofOthers);
}

/** The refusal of an answer, with what is asked. */
export function answerFailure(
  code: string,
  message: string,
  question: Readonly<QuestionData>,
): ToolFailure {
  if (code === "forbidden" && question.answerableBy === "operator") {
    return { error: { code, message, next_step: operatorsOnly } };
  }
  if (code !== "invalid_answer") return toolFailure(code, message);
  return toolFailure(code, message, { pending_question: toldQuestion(question) });
}

/** The failure that a thrown error is. Words of errors that nobody expected are not passed on. */
export function failureOf(thrown: unknown): ToolFailure {
  const { code, message } = codeOf(thrown);
  return toolFailure(code, message);
}

/** An error's code and words, whether the engine, the client or something else threw it. */
export function codeOf(thrown: unknown): { code: string; message: string } {
  if (isToolthreadError(thrown)) {
    const { code, message, details } = thrown;
    // Where the database lies is nothing for a model, nor for whoever talks to it.
    const { file } = details;
    return {
      code,
      message: typeof file === "string" ? message.replaceAll(` ${file}`, "") : message,
    };
  }
  return { code: "internal", message: "The call failed unexpectedly." };
}
