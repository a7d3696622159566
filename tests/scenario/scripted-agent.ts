import type { Driver, Halt } from "./scenario.ts";

type Fields = Record<string, unknown>;

/** What was said so far in a conversation, oldest first. */
export type Said =
  | { by: "user"; text: string }
  | { by: "model"; text: string }
  | { by: "tool"; name: string; args: Fields; result: Fields };

export type Move = { call: string; args: Fields } | { say: string };

/**
 * Stands in for a language model that keeps to the system instructions: it starts what the user asks
 * for, polls from the last cursor, puts questions to the user, carries the answers back, and says how
 * the task ended.
 */
export function nextMove(said: readonly Said[]): Move {
  const last = said.at(-1);
  if (last === undefined || last.by === "model") return { say: "What can I do for you?" };
  const task_id = lastOf(said, "start_task")?.result.task_id;
  const polled = lastOf(said, "poll_task")?.result;
  const poll: Move = {
    call: "poll_task",
    args: {
      task_id,
      ...(polled?.cursor ? { since: polled.cursor } : {}),
      wait_for: "input_or_result",
    },
  };
  if (last.by === "user") return onUser(last.text, { task_id, polled, poll });
  const { error } = last.result as { error?: { code: string; next_step: string } };
  if (last.name !== "poll_task") return error ? { say: JSON.stringify(error) } : poll;
  if (last.result.result) return { say: JSON.stringify({ result: last.result.result }) };
  const question = last.result.pending_question as { question_id: string; prompt: string } | null;
  const heard = said.some(
    (one) => one.by === "model" && one.text.includes(question?.question_id ?? "?"),
  );
  return question && !heard ? { say: JSON.stringify({ question }) } : poll;
}

interface Standing {
  task_id: unknown;
  polled: Fields | undefined;
  poll: Move;
}

function onUser(text: string, { task_id, polled, poll }: Standing): Move {
  const [what = "", ...rest] = text.split(" ");
  const words = rest.join(" ");
  switch (what) {
    case "start":
      return { call: "start_task", args: JSON.parse(words) };
    case "answer": {
      const { question_id } = (polled?.pending_question ?? {}) as { question_id?: string };
      return { call: "respond_to_question", args: { task_id, question_id, answer: words } };
    }
    case "cancel":
      return { call: "cancel_task", args: { task_id } };
    default:
      return task_id === undefined ? { say: "What can I do for you?" } : poll;
  }
}

function lastOf(said: readonly Said[], name: string) {
  const calls = said.flatMap((one) => (one.by === "tool" && one.name === name ? [one] : []));
  return calls.at(-1);
}

/** A user who talks to such an agent. @param say gives what it answers in the end. */
export function userOf(say: (text: string) => Promise<string>): Driver {
  const halt = async (text: string): Promise<Halt> => {
    const told = JSON.parse(await say(text));
    if (told.question) return { kind: "question", prompt: told.question.prompt };
    const { status, result, error } = told.result;
    return { kind: "end", status, result, error };
  };
  return {
    begin: (params) => halt(`start ${JSON.stringify({ task_type: "release", ...params })}`),
    answer: (answer) => halt(`answer ${answer}`),
    cancel: () => halt("cancel"),
    wait: () => halt("wait"),
  };
}
