import { z } from "zod";
import { cancelManyInput, rerunManyInput } from "../trpc/input-schemas.ts";
import type { RestRoute } from "./rest-route.ts";

const outcomes = (did: string) =>
  z.object({
    outcomes: z.array(
      z.object({
        taskId: z.string(),
        did: z.string().nullable().describe(did),
        error: z
          .object({ code: z.string(), message: z.string() })
          .nullable()
          .describe("Why it was refused"),
      }),
    ),
  });

export const cancelledManyResponse = outcomes(
  "`cancelled`, `had_ended`, or null where it was refused",
);
export const rerunManyResponse = outcomes("The id of the new task; null where it was refused");

const eachForItself = "One that is refused says why, and keeps none of the others.";

/** The same for many tasks. */
export const manyRoutes: readonly RestRoute[] = [
  {
    method: "POST",
    path: "/tasks/cancellations",
    procedure: "tasks.cancelMany",
    input: cancelManyInput,
    output: cancelledManyResponse,
    summary: "Ask several tasks to end",
    description: `${eachForItself} It may be repeated.`,
    codes: [],
  },
  {
    method: "POST",
    path: "/tasks/reruns",
    procedure: "tasks.rerunMany",
    input: rerunManyInput,
    output: rerunManyResponse,
    summary: "Start several finished tasks again, with the same parameters",
    description: `${eachForItself} A call that is repeated starts them once more.`,
    codes: [],
  },
];
