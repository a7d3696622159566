import type { PollResponse, PollResponseJson } from "../../core/poll-response.ts";
import { kindsWithoutUpdates } from "../../core/task-event.ts";
import { forEachTask } from "./for-each-task.ts";
import {
  cancelInput,
  cancelManyInput,
  eventsInput,
  maxPollSeconds,
  overviewInput,
  pollInput,
  rerunInput,
  rerunManyInput,
  searchEventsInput,
  startInput,
  taskIdInput,
} from "./input-schemas.ts";
import { listTasksInput, taskQueryOf } from "./list-tasks-input.ts";
import { procedure, router } from "./trpc.ts";

export const tasksRouter = router({
  types: procedure("tasks:read").query(({ ctx }) => ctx.tasks.taskTypes()),

  start: procedure("tasks:start")
    .input(startInput)
    .mutation(async ({ ctx, input }) => {
      const { type, params, ...options } = input;
      const { task, created } = await ctx.tasks.startTaskDetailed(type, params, options);
      return { taskId: task.taskId, status: task.status, created };
    }),

  get: procedure("tasks:read")
    .input(taskIdInput)
    .query(({ ctx, input }) => ctx.tasks.getTask(input.taskId)),

  list: procedure("tasks:read")
    .input(listTasksInput)
    .query(({ ctx, input }) => ctx.tasks.listTasks(taskQueryOf(input))),

  events: procedure("tasks:read")
    .input(eventsInput)
    .query(async ({ ctx, input }) => {
      const { taskId, afterSeq, limit, withoutUpdates } = input;
      const kinds = withoutUpdates ? kindsWithoutUpdates : undefined;
      const events = await ctx.tasks.readEvents(taskId, { afterSeq, limit: limit + 1, kinds });
      return { items: events.slice(0, limit), hasMore: events.length > limit };
    }),

  searchEvents: procedure("tasks:read")
    .input(searchEventsInput)
    .query(({ ctx, input }) => {
      const { taskId, ...query } = input;
      return ctx.tasks.searchEvents(taskId, query);
    }),

  poll: procedure("tasks:read")
    .input(pollInput)
    .query(({ ctx, input, signal }): Promise<PollResponseJson> => {
      const { taskId, ...rest } = input;
      const timeout = Math.min(rest.timeout, maxPollSeconds);
      const notice =
        timeout < rest.timeout
          ? `A timeout of ${rest.timeout} s was read as ${maxPollSeconds} s, the longest here.`
          : null;
      const options = { ...rest, timeout, notice, signal };
      return ctx.hold(ctx.tasks.pollTask(taskId, options).then(toJson));
    }),

  cancel: procedure("tasks:cancel")
    .input(cancelInput)
    .mutation(async ({ ctx, input }) => {
      const { taskId, reason, force } = input;
      const cancelled = await ctx.tasks.cancelTask(taskId, { reason, force });
      const { status } = await ctx.tasks.getTaskView(taskId);
      return { cancelled, status };
    }),

  rerun: procedure("tasks:start")
    .input(rerunInput)
    .mutation(async ({ ctx, input }) => {
      const { taskId, ...options } = input;
      const { task, created } = await ctx.tasks.rerunTask(taskId, options);
      return { taskId: task.taskId, status: task.status, created };
    }),

  cancelMany: procedure("tasks:cancel")
    .input(cancelManyInput)
    .mutation(({ ctx, input }) => {
      const { taskIds, reason } = input;
      return forEachTask(taskIds, async (taskId) => {
        const cancelled = await ctx.tasks.cancelTask(taskId, { reason });
        return cancelled ? "cancelled" : "had_ended";
      });
    }),

  rerunMany: procedure("tasks:start")
    .input(rerunManyInput)
    .mutation(({ ctx, input }) =>
      forEachTask(input.taskIds, async (taskId) => {
        const { task } = await ctx.tasks.rerunTask(taskId, {});
        return task.taskId;
      }),
    ),

  overview: procedure("tasks:read")
    .input(overviewInput)
    .query(({ ctx, input }) => ctx.tasks.overview(input.range)),

  stats: procedure("tasks:read").query(({ ctx }) => ctx.tasks.stats()),
});

function toJson(response: PollResponse): PollResponseJson {
  return response.toJSON();
}
