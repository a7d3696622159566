import { setImmediate as nextTurn } from "node:timers/promises";
import { tracked } from "@trpc/server";
import { InvalidInput } from "../../core/errors.ts";
import type { FeedMessage } from "../../engine/feed.ts";
import type { ApiContext } from "./api-context.ts";
import { liveFeedInput, liveTaskInput } from "./input-schemas.ts";
import { procedure, router } from "./trpc.ts";

// A burst is thousands of messages, each written to every open dashboard. Whoever writes them leaves
// turns to everything else, which would otherwise wait until the last one is written.
const messagesPerTurn = 8;

/**
 * Streams of {@link FeedMessage}s. Each begins with a `reset`, unless it resumes an earlier one: it
 * says from where on the stream tells everything, so that a reader fetches the state after it.
 */
export const liveRouter = router({
  task: procedure("tasks:read")
    .input(liveTaskInput)
    .subscription(async function* ({ ctx, input, signal }) {
      const { taskId, lastEventId } = input;
      yield* follow(ctx, taskId, lastEventId, signal);
    }),

  feed: procedure("tasks:read")
    .input(liveFeedInput)
    .subscription(async function* ({ ctx, input, signal }) {
      yield* follow(ctx, undefined, input?.lastEventId, signal);
    }),
});

async function* follow(
  { tasks }: ApiContext,
  taskId: string | undefined,
  lastEventId: string | null | undefined,
  signal: AbortSignal = new AbortController().signal,
) {
  if (taskId !== undefined) await tasks.getTaskView(taskId);
  let position = lastEventId ? parsePosition(lastEventId) : null;
  if (position === null) {
    position = await tasks.lastPosition();
    yield tracked(String(position), { kind: "reset", position } satisfies FeedMessage);
  }
  let written = 0;
  for await (const message of tasks.followFeed({ afterPosition: position, taskId, signal })) {
    // A message without an event of its own carries the id of the last one: a client that comes
    // back with it has missed nothing.
    if (message.kind !== "task") position = message.position;
    yield tracked(String(position), message);
    written += 1;
    if (written % messagesPerTurn === 0) await nextTurn();
  }
  // The feed ends with the client or with the server. Nobody hears what is thrown after a client has
  // left, and an error that nobody hears ends the process.
  if (signal.aborted) return;
  // Returning would tell a client that nothing more will ever come; it is to come back instead, which
  // a stream that breaks off makes it do.
  throw new DOMException("The stream ended with the server.", "AbortError");
}

function parsePosition(lastEventId: string): number {
  const position = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (Number.isSafeInteger(position)) return position;
  throw new InvalidInput(
    `The last event id is "${lastEventId}", which this server did not give. ` +
      "Pass one as a stream gave it, or leave it out.",
  );
}
