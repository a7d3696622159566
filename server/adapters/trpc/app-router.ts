import { auditRouter } from "./audit-router.ts";
import { driveRouter } from "./drive-router.ts";
import { keysRouter, peopleRouter, settingsRouter } from "./identity-routers.ts";
import { liveRouter } from "./live-router.ts";
import { pushRouter } from "./push-router.ts";
import { questionsRouter } from "./questions-router.ts";
import { systemRouter } from "./system-router.ts";
import { tasksRouter } from "./tasks-router.ts";
import { router } from "./trpc.ts";

export const appRouter = router({
  tasks: tasksRouter,
  questions: questionsRouter,
  live: liveRouter,
  push: pushRouter,
  keys: keysRouter,
  people: peopleRouter,
  settings: settingsRouter,
  audit: auditRouter,
  drive: driveRouter,
  system: systemRouter,
});

/** The API as a type, for typed clients: import it with `import type`. */
export type AppRouter = typeof appRouter;
