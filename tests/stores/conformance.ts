import { test as base, describe, type TestAPI } from "vitest";
import type { DurableTaskStore } from "../../server/core/durable-task-store.ts";
import { type TestClock, testClock } from "../support/test-clock.ts";
import { approvalTests } from "./conformance-approvals.ts";
import { auditTests } from "./conformance-audit.ts";
import { commandTests } from "./conformance-commands.ts";
import { drivenTests } from "./conformance-driven.ts";
import { listTests } from "./conformance-lists.ts";
import { raceTests } from "./conformance-races.ts";
import { readTests } from "./conformance-reads.ts";
import { rollupTests } from "./conformance-rollups.ts";
import { tenMethodTests } from "./conformance-ten-methods.ts";
import { StoreKit } from "./store-kit.ts";

export type ConformanceTest = TestAPI<{ kit: StoreKit }>;

/** Gives an empty store for the length of `use`. Commands carry the time of the clock. */
export type WithStore = (
  clock: TestClock,
  use: (store: DurableTaskStore) => Promise<void>,
) => Promise<void>;

/** What every durable store must do. A new store passes this before anything else is asked of it. */
export function describeStore(name: string, withStore: WithStore): void {
  const test: ConformanceTest = base.extend<{ kit: StoreKit }>({
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are used from here
    kit: async ({}, use) => {
      const clock = testClock();
      await withStore(clock, (store) => use(new StoreKit(store, clock)));
    },
  });
  describe(name, () => {
    describe("the ten methods", () => tenMethodTests(test));
    describe("commands", () => commandTests(test));
    describe("approvals", () => approvalTests(test));
    describe("audit and secrets", () => auditTests(test));
    describe("driven tasks", () => drivenTests(test));
    describe("reads", () => readTests(test));
    describe("lists", () => listTests(test));
    describe("rollups", () => rollupTests(test));
    describe("races", () => raceTests(test));
  });
}
