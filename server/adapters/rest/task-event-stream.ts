import { z } from "zod";
import { InvalidInput } from "../../core/errors.ts";
import type { Progress } from "../../core/task.ts";
import type { TaskEvent } from "../../core/task-event.ts";
import { isTerminal } from "../../core/task-status.ts";
import type { CallersTasks } from "../../identity/callers-tasks.ts";
import { eventStreamResponse, type StreamedEvent } from "../http/event-stream.ts";
import { errorOfCall } from "../trpc/call-procedure.ts";
import { taskIdInput } from "../trpc/input-schemas.ts";
import type { RestCall } from "./rest-route.ts";

export const taskEventsInput = taskIdInput.extend({
  afterSeq: z
    .int()
    .min(0)
    .default(0)
    .describe("Only events after this `seq`; `Last-Event-ID` counts instead where it is sent"),
});

const pageSize = 500;

/**
 * A task's timeline from its beginning, or from where a reader was, and then whatever happens, until
 * the task ends. The id of an event is its `seq`.
 *
 * @throws TaskNotFound, and InvalidInput for an id that no stream of this task gave.
 */
export async function streamTaskEvents(call: RestCall): Promise<Response> {
  const { request, context, onUnexpected } = call;
  const { taskId, afterSeq } = taskEventsInput.parse(call.input);
  const after = lastEventIdOf(request) ?? afterSeq;
  const task = await context.tasks.getTaskView(taskId);
  if (after > task.lastSeq) {
    throw new InvalidInput(
      `Event ${after} is past the timeline of ${taskId}, which ends with ${task.lastSeq}. ` +
        "Send the id of an event that a stream of this task gave, or leave it out.",
    );
  }
  const isOver = isTerminal(task.status) && after >= task.lastSeq;
  // This is how a browser is told not to come back.
  if (isOver) return new Response(null, { status: 204 });
  const ends = new AbortController();
  const signal = AbortSignal.any([request.signal, ends.signal]);
  return eventStreamResponse(eventsOf(context.tasks, taskId, after, signal), {
    ends,
    toError: (thrown) => errorOfCall(thrown, ends.signal, onUnexpected),
  });
}

function lastEventIdOf({ headers }: Request): number | null {
  const id = headers.get("last-event-id");
  if (id === null || id === "") return null;
  if (/^\d{1,15}$/.test(id)) return Number(id);
  throw new InvalidInput(
    `Last-Event-ID is "${id.slice(0, 100)}", which this server did not give. ` +
      "Send the id of an event as a stream gave it, or leave it out.",
  );
}

async function* eventsOf(
  tasks: CallersTasks,
  taskId: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent, void, undefined> {
  let seq = afterSeq;
  let told: string | null = null;
  const isNew = (event: TaskEvent) => event.seq > seq;
  const streamed = (event: TaskEvent): StreamedEvent => {
    seq = event.seq;
    return { id: String(seq), data: event };
  };
  async function* stored(): AsyncGenerator<StreamedEvent, boolean, undefined> {
    for (;;) {
      const page = await tasks.readEvents(taskId, { afterSeq: seq, limit: pageSize });
      for (const event of page) {
        yield streamed(event);
        if (event.kind === "task_finished") return true;
      }
      if (page.length < pageSize || signal.aborted) return false;
    }
  }
  function* news(progress: Progress | null): Generator<StreamedEvent> {
    if (progress === null || progress.at === told) return;
    told = progress.at;
    yield { event: "progress", data: progress };
  }

  // Taken before the timeline is read: what happens meanwhile comes twice, and never not at all.
  const position = await tasks.lastPosition();
  if (yield* stored()) return;
  yield* news((await tasks.getTaskView(taskId)).progress);
  for await (const message of tasks.followFeed({ afterPosition: position, taskId, signal })) {
    if (message.kind === "reset") {
      if (yield* stored()) return;
      continue;
    }
    yield* news(message.task.progress);
    if (message.kind !== "event" || !isNew(message.event)) continue;
    yield streamed(message.event);
    if (message.event.kind === "task_finished") return;
  }
}
