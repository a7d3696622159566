import { describe, expect, test, vi } from "vitest";
import * as errors from "../../server/core/errors.ts";

const { describeThrown, hasErrorCode, isToolthreadError, TaskNotFound, ToolthreadError } = errors;

// Written out: the codes are a promise to callers, so a changed one must fail here.
const codes = {
  TaskCancelled: "task_cancelled",
  TaskTimeout: "task_timeout",
  TaskNotFound: "task_not_found",
  QuestionDeclined: "question_declined",
  UnknownTaskType: "unknown_task_type",
  InvalidInput: "invalid_input",
  InvalidParams: "invalid_params",
  InvalidAnswer: "invalid_answer",
  InvalidCursor: "invalid_cursor",
  Conflict: "conflict",
  IdempotencyConflict: "idempotency_conflict",
  Forbidden: "forbidden",
  Unauthorized: "unauthorized",
  TooManyAttempts: "too_many_attempts",
  TooManyCalls: "too_many_calls",
  GrantRefused: "grant_refused",
  SecretUnreadable: "secret_unreadable",
  ChildTaskFailed: "child_task_failed",
  LeaseLost: "lease_lost",
  AmbiguousStep: "ambiguous_step",
  ReplayMismatch: "replay_mismatch",
  NonRetryableError: "non_retryable",
  ShuttingDown: "shutting_down",
  StoreUnavailable: "store_unavailable",
  StoreLocked: "store_locked",
  MigrationRefused: "migration_refused",
  ServerUnreachable: "server_unreachable",
} as const;

describe("errors", () => {
  test.each(Object.entries(codes))("%s has the code %s", (name, code) => {
    const ErrorClass = { ...errors }[name as keyof typeof codes];
    const cause = new Error("below");
    const error = new ErrorClass("what happened", { field: "env" }, { cause });
    expect(error).toMatchObject({ name, code, message: "what happened", cause });
    expect(error.details).toEqual({ field: "env" });
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(ToolthreadError);
    expect(hasErrorCode(error, code)).toBe(true);
    expect(String(error)).toBe(`${name}: what happened`);
  });

  test("all are in the table above", () => {
    const classes = Object.entries(errors).filter(
      ([, value]) => Object.getPrototypeOf(value) !== null && /^class/.test(String(value)),
    );
    const names = classes.map(([name]) => name).filter((name) => name !== "ToolthreadError");
    expect(names.sort()).toEqual(Object.keys(codes).sort());
  });

  test("are known across two copies of the module, where instanceof fails", async () => {
    vi.resetModules();
    const copy = await import("../../server/core/errors.ts");
    const error = new copy.TaskNotFound("no such task");
    expect(error).not.toBeInstanceOf(TaskNotFound);
    expect(isToolthreadError(error)).toBe(true);
    expect(hasErrorCode(error, "task_not_found")).toBe(true);
    expect(hasErrorCode(error, "conflict")).toBe(false);
  });

  test.each([null, undefined, "task_not_found", 3, {}, new Error("x"), { code: "task_not_found" }])(
    "%j is none",
    (other) => {
      expect(isToolthreadError(other)).toBe(false);
      expect(hasErrorCode(other, "task_not_found")).toBe(false);
    },
  );
});

describe("describeThrown", () => {
  class OutOfStock extends Error {
    override name = "OutOfStock";
  }
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;

  test.each([
    ["RangeError: something went wrong", new RangeError("something went wrong")],
    ["OutOfStock: no tea", new OutOfStock("no tea")],
    ["TaskNotFound: no such task", new TaskNotFound("no such task")],
    ["Error: ", new Error("")],
    ["Error: plain text", "plain text"],
    ["Error: 42", 42],
    ["Error: null", null],
    ["Error: undefined", undefined],
    ['Error: {"code":7}', { code: 7 }],
    ["Error: 10", 10n],
    ["Error: [object Object]", cycle],
  ])("%s", (text, thrown) => {
    expect(describeThrown(thrown)).toBe(text);
  });

  test("survives a thrown value that cannot become text", () => {
    expect(describeThrown(Object.create(null))).toMatch(/^Error: /);
    const hostile = {
      toJSON() {
        throw new Error("no");
      },
      toString() {
        throw new Error("no");
      },
    };
    expect(describeThrown(hostile)).toMatch(/^Error: /);
  });
});
