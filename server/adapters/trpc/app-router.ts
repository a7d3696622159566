import { liveRouter } from "./live-router.ts";
import { questionsRouter } from "./questions-router.ts";
import { tasksRouter } from "./tasks-router.ts";
import { procedure, router } from "./trpc.ts";

export const appRouter = router({
  tasks: tasksRouter,
  questions: questionsRouter,
  live: liveRouter,
  system: router({
    info: procedure.query(({ ctx }) => ({
      version: ctx.version,
      startedAt: ctx.startedAt,
      actor: ctx.actor,
    })),
  }),
});

/** The API as a type, for typed clients: import it with `import type`. */
export type AppRouter = typeof appRouter;
