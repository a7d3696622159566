import type { TaskScope } from "../core/access.ts";
import { toColumnText } from "./column-text.ts";
import type { Prisma } from "./generated/client.ts";

/** The condition of a task that is within a scope. */
export function inScope({ createdById, exceptTypes }: TaskScope): Prisma.TaskWhereInput {
  return {
    ...(createdById === undefined ? {} : { createdById: toColumnText(createdById) }),
    ...(exceptTypes ? { type: { notIn: exceptTypes.map(toColumnText) } } : {}),
  };
}
