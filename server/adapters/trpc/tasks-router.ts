import type { PollResponse, PollResponseJson } from "../../core/poll-response.ts";
import {
  cancelInput,
  eventsInput,
  listTasksInput,
  maxPollSeconds,
  pollInput,
  rerunInput,
  startInput,
  taskIdInput,
} from "./input-schemas.ts";
import { procedure, router } from "./trpc.ts";

export const tasksRouter = router({
  types: procedure.query(({ ctx }) => ctx.manager.taskTypes()),

  start: procedure.input(startInput).mutation(async ({ ctx, input }) => {
    const { type, params, ...options } = input;
    const { task, created } = await ctx.manager.startTaskDetailed(type, params, {
      ...options,
      actor: ctx.actor,
    });
    return { taskId: task.taskId, status: task.status, created };
  }),

  get: procedure.input(taskIdInput).query(({ ctx, input }) => ctx.manager.getTask(input.taskId)),

  list: procedure.input(listTasksInput).query(({ ctx, input }) => ctx.manager.listTasks(input)),

  events: procedure.input(eventsInput).query(async ({ ctx, input }) => {
    const { taskId, afterSeq, limit } = input;
    const events = await ctx.manager.readEvents(taskId, { afterSeq, limit: limit + 1 });
    return { items: events.slice(0, limit), hasMore: events.length > limit };
  }),

  poll: procedure.input(pollInput).query(({ ctx, input, signal }): Promise<PollResponseJson> => {
    const { taskId, ...rest } = input;
    const timeout = Math.min(rest.timeout, maxPollSeconds);
    const notice =
      timeout < rest.timeout
        ? `A timeout of ${rest.timeout} s was read as ${maxPollSeconds} s, the longest here.`
        : null;
    const options = { ...rest, timeout, notice, signal };
    return ctx.hold(ctx.manager.pollTask(taskId, options).then(toJson));
  }),

  cancel: procedure.input(cancelInput).mutation(async ({ ctx, input }) => {
    const { taskId, reason, force } = input;
    const cancelled = await ctx.manager.cancelTask(taskId, { actor: ctx.actor, reason, force });
    const { status } = await ctx.manager.getTaskView(taskId);
    return { cancelled, status };
  }),

  rerun: procedure.input(rerunInput).mutation(async ({ ctx, input }) => {
    const { taskId, params } = input;
    const task = await ctx.manager.rerunTask(taskId, { params, actor: ctx.actor });
    return { taskId: task.taskId, status: task.status, created: true };
  }),

  stats: procedure.query(({ ctx }) => ctx.manager.stats()),
});

function toJson(response: PollResponse): PollResponseJson {
  return response.toJSON();
}
