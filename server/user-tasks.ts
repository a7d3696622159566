import { pathToFileURL } from "node:url";
import type { TaskManager } from "./engine/task-manager.ts";
import { InvalidSettings } from "./env.ts";

/**
 * Has the module that TOOLTHREAD_TASKS names register its task types.
 *
 * @throws InvalidSettings when the module cannot be loaded, or its default export is no function.
 */
export async function registerUserTasks(manager: TaskManager, file: string): Promise<void> {
  const register = await loadDefaultExport(file);
  if (typeof register !== "function") {
    throw new InvalidSettings([
      `TOOLTHREAD_TASKS: the default export of ${file} must be a function (manager) => void.`,
    ]);
  }
  await register(manager);
}

async function loadDefaultExport(file: string): Promise<unknown> {
  try {
    // The comments keep bundlers from looking for a module whose name is known at start only.
    const module: { default?: unknown } = await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ pathToFileURL(file)
        .href
    );
    return module.default;
  } catch (error) {
    throw new InvalidSettings([
      `TOOLTHREAD_TASKS: ${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}
