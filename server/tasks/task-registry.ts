import type { TaskManager } from "../engine/task-manager.ts";

/** What registers task types: a `TaskManager`, of which they need nothing else. */
export type TaskRegistry = Pick<TaskManager, "registerTask">;
