import { analyzeLogs, analyzeLogsOptions } from "./analyze-logs/analyze-logs.ts";
import { registerBatchProcess } from "./examples/batch-process.ts";
import { registerDeploy } from "./examples/deploy.ts";
import { registerRefundOrder } from "./examples/refund-order.ts";
import { registerSetupDatabase } from "./examples/setup-database.ts";
import type { TaskRegistry } from "./task-registry.ts";

export interface BuiltInTaskOptions {
  /** The folder that `analyze_logs` reads from; it reads nothing outside. */
  filesRoot: string;
}

/**
 * Registers the task types that come with toolthread: `analyze_logs`, and the examples `deploy`,
 * `setup_database`, `batch_process` and `refund_order`.
 *
 * @throws Conflict when one of the names is taken.
 */
export function registerBuiltInTasks(manager: TaskRegistry, options: BuiltInTaskOptions): void {
  manager.registerTask(analyzeLogsOptions, analyzeLogs(options.filesRoot));
  registerDeploy(manager);
  registerSetupDatabase(manager);
  registerBatchProcess(manager);
  registerRefundOrder(manager);
}
