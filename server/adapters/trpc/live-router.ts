import { tracked } from "@trpc/server";
import { InvalidInput } from "../../core/errors.ts";
import type { TaskRecord } from "../../core/task.ts";
import type { TaskEvent } from "../../core/task-event.ts";
import type { QuestionData } from "../../core/task-question.ts";
import type { ApiContext } from "./api-context.ts";
import { liveFeedInput, liveTaskInput } from "./input-schemas.ts";
import { procedure, router } from "./trpc.ts";

/** What a stream carries. */
export type LiveMessage =
  /** A new event, with the task and the question it is about as they are after it. */
  | {
      kind: "event";
      position: number;
      event: TaskEvent;
      task: TaskRecord;
      question: QuestionData | null;
    }
  /** A task changed without an event: its progress, or who runs it. */
  | { kind: "task"; task: TaskRecord }
  /** Fetch the state anew, then go on from here. The first message, unless a stream is resumed. */
  | { kind: "reset"; position: number };

export const liveRouter = router({
  task: procedure.input(liveTaskInput).subscription(async function* ({ ctx, input, signal }) {
    const { taskId, lastEventId } = input;
    yield* follow(ctx, taskId, lastEventId, signal);
  }),

  feed: procedure.input(liveFeedInput).subscription(async function* ({ ctx, input, signal }) {
    yield* follow(ctx, undefined, input?.lastEventId, signal);
  }),
});

async function* follow(
  ctx: ApiContext,
  taskId: string | undefined,
  lastEventId: string | null | undefined,
  signal: AbortSignal | undefined,
) {
  const { manager, closing } = ctx;
  if (taskId !== undefined) await manager.getTask(taskId);
  let position = lastEventId ? parsePosition(lastEventId) : null;
  if (position === null) {
    position = await manager.lastPosition();
    yield tracked(String(position), { kind: "reset", position } as LiveMessage);
  }
  const ended = abortedWithAny(signal, closing);
  try {
    const feed = manager.followFeed({ afterPosition: position, taskId, signal: ended.signal });
    for await (const message of feed) {
      // A message without an event of its own carries the id of the last one: a client that comes
      // back with it has missed nothing.
      if (message.kind !== "task") position = message.position;
      yield tracked(String(position), message as LiveMessage);
    }
  } finally {
    ended.release();
  }
  // Returning would tell the client that nothing more will ever come. It is to come back instead,
  // which a stream that just breaks off makes it do.
  if (closing.aborted) throw new DOMException("The server is closing", "AbortError");
}

// AbortSignal.any keeps a trace of each result in its sources, and `closing` lives very long.
function abortedWithAny(...signals: (AbortSignal | undefined)[]) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const signal of signals) {
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
  }
  const release = () => {
    for (const signal of signals) signal?.removeEventListener("abort", abort);
  };
  return { signal: controller.signal, release };
}

function parsePosition(lastEventId: string): number {
  const position = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (Number.isSafeInteger(position)) return position;
  throw new InvalidInput(
    `The last event id is "${lastEventId}", which this server did not give. ` +
      "Pass one as a stream gave it, or leave it out.",
  );
}
