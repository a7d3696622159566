import { z } from "zod";
import { questionOutcomes } from "../../core/task-question.ts";
import { taskStatuses } from "../../core/task-status.ts";
import type { ApiErrorCode } from "../error-table.ts";
import {
  driveAskInput,
  driveFinishInput,
  driveHeartbeatInput,
  driveProgressInput,
  driveStartInput,
  driveUpdateInput,
} from "../trpc/drive-inputs.ts";
import type { RestRoute } from "./rest-route.ts";

const state = {
  taskId: z.string(),
  status: z.enum(taskStatuses),
  cancelRequested: z.boolean().describe("Stop now, and finish with `cancelled`"),
  cancelReason: z.string().nullable(),
  leaseExpiresAt: z.string().nullable().describe("When the task ends unless another call comes"),
};

const driverState = z.object(state).meta({ id: "DriverState" });

const started = z.object({
  ...state,
  driverId: z.string().describe("Send it with every later call"),
  created: z.boolean().describe("false when the idempotency key had started this task before"),
});

const asked = z.object({
  ...state,
  questionId: z.string().nullable(),
  outcome: z.enum(questionOutcomes).nullable().describe("null while it is open: call again"),
  answer: z.any().describe("Any JSON value"),
  defaultUsed: z.boolean(),
  defaultValue: z.any().describe("Any JSON value"),
  declineReason: z.string().nullable(),
  by: z.string().nullable().describe("The name of whoever decided it"),
  deadline: z.string().nullable(),
});

const codes: ApiErrorCode[] = ["task_not_found", "conflict", "lease_lost"];

/** The twins of `drive.*`. */
export const driveRoutes: readonly RestRoute[] = [
  {
    method: "POST",
    path: "/drive",
    procedure: "drive.start",
    input: driveStartInput,
    output: started,
    summary: "Start a task that your own program runs",
    description:
      "Its type has no handler here. Your program says what happens with the calls below, each of which " +
      "keeps the task alive; when none comes within the lease the task fails with `DriverLost`. Every " +
      "answer tells whether it was cancelled.",
    headers: { "Idempotency-Key": "idempotencyKey" },
    status: (result) => ((result as { created: boolean }).created ? 201 : 200),
    codes: ["invalid_params", "conflict", "idempotency_conflict"],
  },
  {
    method: "POST",
    path: "/drive/{taskId}/heartbeat",
    procedure: "drive.heartbeat",
    input: driveHeartbeatInput,
    output: driverState,
    summary: "Say that your program still works",
    description: "Send one every third of the lease, and stop when `cancelRequested` is true.",
    codes,
  },
  {
    method: "POST",
    path: "/drive/{taskId}/update",
    procedure: "drive.update",
    input: driveUpdateInput,
    output: driverState,
    summary: "Post an update",
    codes,
  },
  {
    method: "POST",
    path: "/drive/{taskId}/progress",
    procedure: "drive.progress",
    input: driveProgressInput,
    output: driverState,
    summary: "Say how far it is",
    codes,
  },
  {
    method: "POST",
    path: "/drive/{taskId}/ask",
    procedure: "drive.ask",
    input: driveAskInput,
    output: asked,
    summary: "Ask people, and wait for the outcome",
    description:
      "Opens the question with the first call of a `key`. Until `outcome` is set, send the very same call " +
      "again: it waits on, and never asks twice.",
    codes,
  },
  {
    method: "POST",
    path: "/drive/{taskId}/finish",
    procedure: "drive.finish",
    input: driveFinishInput,
    output: driverState,
    summary: "End the task",
    description: "The same end again is told as done; another one is a 409.",
    codes,
  },
];
