import {
  driveAskInput,
  driveFinishInput,
  driveHeartbeatInput,
  driveProgressInput,
  driveStartInput,
  driveUpdateInput,
} from "./drive-inputs.ts";
import { procedure, router } from "./trpc.ts";

/** Tasks that a program outside runs. */
export const driveRouter = router({
  start: procedure("tasks:drive")
    .input(driveStartInput)
    .mutation(({ ctx, input }) => {
      const { type, params, ...options } = input;
      return ctx.tasks.driving.start(type, params, options);
    }),

  heartbeat: procedure("tasks:drive")
    .input(driveHeartbeatInput)
    .mutation(({ ctx, input }) => {
      const { taskId, ...call } = input;
      return ctx.tasks.driving.heartbeat(taskId, call);
    }),

  update: procedure("tasks:drive")
    .input(driveUpdateInput)
    .mutation(({ ctx, input }) => {
      const { taskId, driverId, leaseSeconds, ...update } = input;
      return ctx.tasks.driving.update(taskId, update, { driverId, leaseSeconds });
    }),

  progress: procedure("tasks:drive")
    .input(driveProgressInput)
    .mutation(({ ctx, input }) => {
      const { taskId, driverId, leaseSeconds, ...progress } = input;
      return ctx.tasks.driving.progress(taskId, progress, { driverId, leaseSeconds });
    }),

  ask: procedure("tasks:drive")
    .input(driveAskInput)
    .mutation(({ ctx, input, signal }) => {
      const { taskId, driverId, leaseSeconds, wait, ...asked } = input;
      const choices = asked.choices?.map((choice) =>
        typeof choice === "string" ? choice : { ...choice, label: choice.label ?? choice.value },
      );
      const call = { driverId, leaseSeconds, wait, signal };
      return ctx.tasks.driving.ask(taskId, { ...asked, choices }, call);
    }),

  finish: procedure("tasks:drive")
    .input(driveFinishInput)
    .mutation(({ ctx, input }) => {
      const { taskId, driverId, leaseSeconds, ...end } = input;
      return ctx.tasks.driving.finish(taskId, end, { driverId, leaseSeconds });
    }),
});
