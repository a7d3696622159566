/**
 * The entry point `toolthread/client`: a server that runs elsewhere, used like a `TaskManager`. Needs
 * nothing but `fetch`: it runs in Node, browsers, Deno and Bun.
 */
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { hasErrorCode, InvalidInput, TaskNotFound } from "../../core/errors.ts";
import { makeKey } from "../../core/made-key.ts";
import { randomId } from "../../core/system-clock.ts";
import type { AppRouter } from "../trpc/app-router.ts";
import { failureOf } from "./client-errors.ts";
import { repeatCall } from "./repeat-call.ts";
import { sendable, sendableHeaders } from "./sendable.ts";
import { type WatchedEvent, type WatchOptions, watchTask } from "./watch-task.ts";

export { hasErrorCode, isToolthreadError } from "../../core/errors.ts";
export type { WatchedEvent, WatchOptions } from "./watch-task.ts";

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;

export interface ToolthreadClientOptions {
  /** Where the server is, for example `https://tasks.example.com`. */
  url: string;
  /** An agent's key; left out where the server asks for none. */
  apiKey?: string | null;
  /** Sent with every request, for what stands before the server. */
  headers?: Record<string, string>;
  /** Another `fetch` than the global one. */
  fetch?: typeof fetch;
  /**
   * Seconds for which a call that finds no server, or one that is starting or busy, is sent again; 30.
   * No call does anything twice by that.
   */
  retrySeconds?: number;
}

interface CallOptions {
  /** Ends the call: it then rejects with the signal's reason. */
  signal?: AbortSignal;
}

type StartOptions = Omit<Inputs["tasks"]["start"], "type" | "params"> & CallOptions;
type PollOptions = Omit<Inputs["tasks"]["poll"], "taskId"> & CallOptions;
type Answered = { won: boolean; question: Outputs["questions"]["get"] };

export type ToolthreadClient = ReturnType<typeof createToolthreadClient>;

const callSeconds = 30;
// Well within what a server and the proxies before it let a request wait.
const longestPollSeconds = 50;

/**
 * A client of the server at `url`. Whatever it refuses is an error with toolthread's own `code`; what
 * cannot be sent at all is refused with `invalid_input` before anything is.
 *
 * @throws InvalidInput for a key or headers that cannot be sent.
 */
export function createToolthreadClient(options: ToolthreadClientOptions) {
  const { apiKey = null, retrySeconds = 30 } = options;
  if (!(retrySeconds >= 0)) {
    throw new InvalidInput(`retrySeconds is ${retrySeconds}; use 0 or more.`);
  }
  const url = options.url.replace(/\/+$/, "");
  const given = options.fetch ?? globalThis.fetch;
  // Browsers refuse a `fetch` that is called as somebody's method.
  const send: typeof fetch = (input, init) => given(input, init);
  const headers = sendableHeaders(options.headers, apiKey);
  const trpc: TRPCClient<AppRouter> = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${url}/api/trpc`, headers, fetch: send })],
  });
  const call = async <I, T>(
    { signal }: CallOptions,
    input: I,
    run: (input: I, options: { signal: AbortSignal }) => Promise<T>,
    seconds = callSeconds,
  ): Promise<T> => {
    const sent = sendable(input);
    return repeatCall((limit) => run(sent, { signal: limit }), seconds, {
      retrySeconds,
      signal,
      failureOf: (thrown) => failureOf(thrown, url),
    });
  };

  const getQuestion = (questionId: string, options: CallOptions = {}) =>
    call(options, { questionId }, trpc.questions.get.query);

  /** @throws TaskNotFound for another task's question. */
  const requireOf = async (
    taskId: string | undefined,
    questionId: string,
    options: CallOptions,
  ) => {
    if (taskId === undefined) return;
    const question = await getQuestion(questionId, options);
    if (question.taskId !== taskId) {
      throw new TaskNotFound(`Task ${taskId} has no question ${questionId}.`);
    }
  };

  /** A question that was closed before is no error here, but an answer that did not win. */
  const resolve = async <I extends { questionId: string }>(
    input: I,
    options: CallOptions & { taskId?: string },
    run: (
      input: I,
      options: { signal: AbortSignal },
    ) => Promise<{ question: Answered["question"] }>,
  ): Promise<Answered> => {
    const { questionId } = input;
    const sent = sendable(input);
    await requireOf(options.taskId, questionId, options);
    try {
      return { won: true, question: (await call(options, sent, run)).question };
    } catch (error) {
      if (!hasErrorCode(error, "conflict") || error.details.outcome === undefined) throw error;
      return { won: false, question: await getQuestion(questionId, options) };
    }
  };

  const startTaskDetailed = (type: string, params?: unknown, options: StartOptions = {}) => {
    const { signal, ...rest } = options;
    const idempotencyKey = rest.idempotencyKey ?? makeKey();
    const input = { ...rest, type, params: params as never, idempotencyKey };
    return call({ signal }, input, trpc.tasks.start.mutate);
  };

  const answerQuestion = (
    questionId: string,
    answer: unknown,
    options: CallOptions & { taskId?: string } = {},
  ): Promise<Answered> => {
    const input = { questionId, answer: (answer ?? null) as never };
    return resolve(input, options, trpc.questions.answer.mutate);
  };

  return {
    /** The task types that may be started. */
    taskTypes: (options: CallOptions = {}) => call(options, undefined, trpc.tasks.types.query),

    /**
     * Starts a task and returns its id. Without an idempotency key it makes one of its own, so that a
     * start whose answer is lost is not done twice.
     *
     * @throws unknown_task_type, invalid_params, idempotency_conflict
     */
    startTask: async (type: string, params?: unknown, options?: StartOptions): Promise<string> =>
      (await startTaskDetailed(type, params, options)).taskId,

    /** Like `startTask`; also tells whether the idempotency key had started the task before. */
    startTaskDetailed,

    /**
     * Waits for news of a task, at most `timeout` seconds (30), however long that is.
     *
     * @throws task_not_found, invalid_cursor
     */
    pollTask: async (
      taskId: string,
      { signal, timeout = 30, ...rest }: PollOptions = {},
    ): Promise<Outputs["tasks"]["poll"]> => {
      const until = Date.now() + timeout * 1000;
      let since = rest.since;
      for (;;) {
        const left = Math.max(0, (until - Date.now()) / 1000);
        const seconds =
          timeout <= longestPollSeconds ? timeout : Math.min(left, longestPollSeconds);
        const input = { ...rest, since, taskId, timeout: seconds };
        const response = await call(
          { signal },
          input,
          trpc.tasks.poll.query,
          seconds + callSeconds,
        );
        const isOver = seconds === timeout || Date.now() >= until;
        const hasNews = response.updates.length > 0 || response.result !== null;
        if (isOver || hasNews || response.pendingQuestion !== null) return response;
        since = response.cursor;
      }
    },

    /** Whether this answer won; false when the question was closed before. @throws invalid_answer */
    respondToQuestion: async (
      taskId: string,
      questionId: string,
      answer: unknown,
      options: CallOptions = {},
    ): Promise<boolean> => (await answerQuestion(questionId, answer, { ...options, taskId })).won,

    /** Like `respondToQuestion`; also gives the question with its outcome. */
    answerQuestion,

    /** Refuses to answer; the task is told why. */
    declineQuestion: (
      questionId: string,
      options: CallOptions & { taskId?: string; reason?: string | null } = {},
    ): Promise<Answered> =>
      resolve({ questionId, reason: options.reason }, options, trpc.questions.decline.mutate),

    /** True, also when repeated; false when the task has ended. */
    cancelTask: async (
      taskId: string,
      { signal, ...rest }: CallOptions & { reason?: string | null; force?: boolean } = {},
    ): Promise<boolean> =>
      (await call({ signal }, { taskId, ...rest }, trpc.tasks.cancel.mutate)).cancelled,

    /** Starts a finished task again, with the same parameters or others. @returns its id. */
    rerunTask: async (
      taskId: string,
      { signal, ...rest }: CallOptions & { params?: unknown; idempotencyKey?: string } = {},
    ): Promise<string> => {
      const idempotencyKey = rest.idempotencyKey ?? makeKey();
      const input = { taskId, params: rest.params as never, idempotencyKey };
      return (await call({ signal }, input, trpc.tasks.rerun.mutate)).taskId;
    },

    /** @throws task_not_found */
    getTask: (taskId: string, options: CallOptions = {}) =>
      call(options, { taskId }, trpc.tasks.get.query),

    listTasks: ({ signal, ...query }: Inputs["tasks"]["list"] & CallOptions = {}) =>
      call({ signal }, query, trpc.tasks.list.query),

    /** @throws task_not_found */
    getQuestion,

    listQuestions: ({ signal, ...query }: Inputs["questions"]["list"] & CallOptions = {}) =>
      call({ signal }, query, trpc.questions.list.query),

    /**
     * The timeline of a task from its beginning, then what happens, until it ends. A connection that
     * breaks is made anew and goes on where it was.
     */
    watch: (
      taskId: string,
      options: WatchOptions = {},
    ): AsyncGenerator<WatchedEvent, void, undefined> =>
      watchTask({ url, headers, fetch: send, retrySeconds }, taskId, options),

    /** Tasks that this program runs itself; see docs/shell.md for what each call means. */
    drive: {
      start: ({ signal, ...input }: Inputs["drive"]["start"] & CallOptions) => {
        const driverId = input.driverId ?? randomId("w");
        const idempotencyKey = input.idempotencyKey ?? makeKey();
        return call({ signal }, { ...input, driverId, idempotencyKey }, trpc.drive.start.mutate);
      },
      heartbeat: ({ signal, ...input }: Inputs["drive"]["heartbeat"] & CallOptions) =>
        call({ signal }, input, trpc.drive.heartbeat.mutate),
      /** Without a `sequence` or `key` it makes a key of its own, so that nothing is posted twice. */
      update: ({ signal, ...input }: Inputs["drive"]["update"] & CallOptions) => {
        const isNamed = input.sequence !== undefined || input.key !== undefined;
        const once = isNamed ? input : { ...input, key: makeKey() };
        return call({ signal }, once, trpc.drive.update.mutate);
      },
      progress: ({ signal, ...input }: Inputs["drive"]["progress"] & CallOptions) => {
        const once = { ...input, key: input.key ?? makeKey() };
        return call({ signal }, once, trpc.drive.progress.mutate);
      },
      ask: ({ signal, ...input }: Inputs["drive"]["ask"] & CallOptions) =>
        call({ signal }, input, trpc.drive.ask.mutate, (input.wait ?? 0) + callSeconds),
      finish: ({ signal, ...input }: Inputs["drive"]["finish"] & CallOptions) =>
        call({ signal }, input, trpc.drive.finish.mutate),
    },
  };
}
