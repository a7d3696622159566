import { InvalidInput } from "../core/errors.ts";
import type { JsonValue } from "../core/json.ts";
import type { ConcurrencyLimits, TaskTypeOptions } from "../core/task-type.ts";

/** A type's limits in their full form. @throws InvalidInput for one that is no whole number above 0. */
export function concurrencyOf({ type, concurrency = {} }: TaskTypeOptions): ConcurrencyLimits {
  const limits = typeof concurrency === "number" ? { limit: concurrency } : concurrency;
  for (const name of ["limit", "perKey"] as const) {
    const value = limits[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw new InvalidInput(
        `The concurrency ${name} of task type "${type}" is a whole number above 0, not ${value}.`,
      );
    }
  }
  return limits;
}

/** How many tasks may run under one key of the type. */
export function keyLimitOf(options: TaskTypeOptions): number {
  return concurrencyOf(options).perKey ?? 1;
}

/** The key a task with these parameters runs under; null for none. Keys of two types never meet. */
export function concurrencyKeyOf(options: TaskTypeOptions, params: JsonValue): string | null {
  const key = concurrencyOf(options).key?.(params) ?? null;
  return key === null ? null : `${options.type} ${key}`;
}
