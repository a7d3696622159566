import { describe, expect, test } from "vitest";
import { fitsFilters } from "../../components/tasks/fits-filters.ts";
import { withName, withoutView, withView } from "../../components/tasks/saved-views.ts";
import { steadyRows } from "../../components/tasks/steady-rows.ts";
import {
  filtersFromUrl,
  filtersToUrl,
  hasFilters,
  noFilters,
  type TaskFilters,
  toListInput,
} from "../../components/tasks/task-filters.ts";
import type { TaskRecord } from "../../server/core/task.ts";
import { taskOrders } from "../../server/core/task-order.ts";

const now = "2026-11-30T12:00:00.000000Z";

function task(id: string, fields: Partial<TaskRecord> = {}): TaskRecord {
  return {
    taskId: id,
    type: "echo",
    status: "running",
    createdAt: now,
    finishedAt: null,
    labels: {},
    openQuestions: 0,
    parentTaskId: null,
    leaseExpiresAt: null,
    wakeAt: null,
    workerId: null,
    ...fields,
  } as TaskRecord;
}

describe("filters in the address", () => {
  const filters: TaskFilters = {
    ...noFilters,
    statuses: ["failed", "running"],
    activities: ["parked"],
    types: ["a&b"],
    labels: ["env=prod", "x=a=b"],
    started: "24h",
    ended: "1h",
    waitsForMe: true,
    parent: "task_1",
    order: "longest",
  };
  const read = (query: string) => filtersFromUrl(new URLSearchParams(query));

  test("they survive the way there and back", () => {
    expect(read(filtersToUrl(filters))).toEqual(filters);
    expect(read(filtersToUrl({ ...noFilters, text: "two words" })).text).toBe("two words");
    expect(filtersToUrl(noFilters)).toBe("");
    expect(hasFilters({ ...noFilters, order: "oldest" })).toBe(false);
    expect(hasFilters(filters)).toBe(true);
  });

  test("what is none of them is left aside, and a search has no order that it cannot have", () => {
    expect(read("status=running&status=running&status=odd&label=x&started=2y&order=up")).toEqual({
      ...noFilters,
      statuses: ["running"],
    });
    expect(read("text=a&order=longest").order).toBe("newest");
    for (const order of taskOrders) expect(read(`order=${order}`).order).toBe(order);
  });

  test("the server is asked in moments, by its own clock", () => {
    const input = toListInput(filters, Date.parse("2026-11-30T12:00:00Z"));
    expect(input).toMatchObject({
      labels: { env: "prod", x: "a=b" },
      createdFrom: "2026-11-29T12:00:00.000Z",
      finishedFrom: "2026-11-30T11:00:00.000Z",
      parentTaskId: "task_1",
      waitsForMe: true,
    });
    expect(toListInput(noFilters, 0)).toEqual({ order: "newest" });
  });

  test("the feed's tasks are told apart as far as a browser can", () => {
    const fits = (fields: Partial<TaskFilters>, of = task("task_abc")) =>
      fitsFilters(of, { ...noFilters, ...fields }, now);
    expect(fits({})).toBe(true);
    expect(fits({ statuses: ["failed"] })).toBe(false);
    expect(fits({ activities: ["parked"] })).toBe(true);
    expect(fits({ labels: ["env=prod"] })).toBe(false);
    expect(fits({ labels: ["env=prod"] }, task("t", { labels: { env: "prod" } }))).toBe(true);
    expect(fits({ parent: "p" })).toBe(false);
    expect(fits({ ended: "1h" })).toBe(false);
    expect(fits({ text: "ABC" })).toBe(true);
    expect(fits({ text: "elsewhere" })).toBeNull();
    expect(fits({ waitsForMe: true })).toBe(false);
    expect(fits({ waitsForMe: true }, task("t", { openQuestions: 1 }))).toBeNull();
    expect(fits({ order: "longest" })).toBe(false);
  });
});

describe("rows that keep still", () => {
  const ids = (tasks: readonly TaskRecord[]) => tasks.map(({ taskId }) => taskId);
  const list = (...names: string[]) => names.map((name) => task(name));

  test("what is new above waits; what changed or left stays at its place; more comes at the end", () => {
    const changed = task("b", { status: "failed" });
    const steady = steadyRows(list("c", "b", "a"), [
      ...list("e", "d", "c"),
      changed,
      ...list("z", "y"),
    ]);
    expect(ids(steady.rows)).toEqual(["c", "b", "a", "z", "y"]);
    expect(steady.rows[1]).toBe(changed);
    expect(ids(steady.held)).toEqual(["e", "d"]);
    expect([...steady.gone]).toEqual(["a"]);
  });

  test("a list of which nothing is left goes on with what there is", () => {
    const steady = steadyRows(list("b", "a"), list("z"));
    expect(ids(steady.rows)).toEqual(["b", "a", "z"]);
    expect(steady.held).toEqual([]);
    expect(steady.gone.size).toBe(2);
  });
});

test("views are kept by name: one name, one view", () => {
  const failed = { name: "Failed", query: "?status=failed" };
  const mine = { name: "Mine", query: "?mine=1" };
  const both = withView(withView([], mine), failed);
  expect(both).toEqual([failed, mine]);
  expect(withView(both, { name: "Mine", query: "?text=x" })).toHaveLength(2);
  expect(withName(both, "Mine", "Failed")).toEqual([{ name: "Failed", query: "?mine=1" }]);
  expect(withName(both, "None", "x")).toEqual(both);
  expect(withoutView(both, "Mine")).toEqual([failed]);
});
