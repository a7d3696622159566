import fc from "fast-check";
import { expect, test } from "vitest";
import { digestUpdates } from "../../server/adapters/agent-tools/update-digest.ts";
import { TaskUpdate, type UpdateLevel, updateLevels } from "../../server/core/task-update.ts";

function updates(...said: (string | [string, UpdateLevel])[]): TaskUpdate[] {
  return said.map((one, i) => {
    const [message, level] = typeof one === "string" ? [one, "info" as const] : one;
    return new TaskUpdate({ taskId: "t", message, level, updateId: `u${i}` });
  });
}

function told(list: TaskUpdate[], maxChars: number) {
  const digest = digestUpdates(list, maxChars);
  const lines = digest.updates.map(({ update, merged }) => `${merged}x ${update.message}`);
  return { lines, leftOut: digest.leftOut };
}

test("what fits stays as it is", () => {
  expect(told(updates("1 of 3", "2 of 3", "3 of 3"), 18)).toEqual({
    lines: ["1x 1 of 3", "1x 2 of 3", "1x 3 of 3"],
    leftOut: 0,
  });
});

test("updates in a row that differ in numbers only become the last of them", () => {
  const list = updates("1 of 3", "2 of 3", ["2 of 3", "warning"], "3 of 3", "done", "4 of 3");
  expect(told(list, 30)).toEqual({
    lines: ["2x 2 of 3", "1x 2 of 3", "1x 3 of 3", "1x done", "1x 4 of 3"],
    leftOut: 0,
  });
});

test("the newest stay whole, older ones are counted, an older error is kept", () => {
  const list = updates("a".repeat(50), ["bad", "error"], "b".repeat(40), "c".repeat(40), "end");
  expect(told(list, 60)).toEqual({
    lines: ["1x bad", `1x ${"c".repeat(40)}`, "1x end"],
    leftOut: 2,
  });
});

test("one update longer than all the space is cut, and says by how much", () => {
  expect(told(updates("first", "x".repeat(100)), 10)).toEqual({
    lines: [`1x ${"x".repeat(10)}… (90 more characters)`],
    leftOut: 1,
  });
});

test("however many there are: nothing uncounted, in order, within the space, always the same", () => {
  const update = fc.record({
    message: fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.nat(999).map((n) => `Processed ${n} items`),
    ),
    level: fc.constantFrom(...updateLevels),
  });
  fc.assert(
    fc.property(
      fc.array(update, { maxLength: 60 }),
      fc.integer({ min: 1, max: 600 }),
      (all, max) => {
        const list = all.map(
          (one, i) => new TaskUpdate({ taskId: "t", updateId: `u${i}`, ...one }),
        );
        const digest = digestUpdates(list, max);
        const represented = digest.updates.reduce((sum, { merged }) => sum + merged, 0);
        expect(represented + digest.leftOut).toBe(list.length);
        const ids = list.map(({ updateId }) => updateId);
        const order = digest.updates.map(({ update }) => ids.indexOf(update.updateId));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        // The newest is always there, and the space is kept, save for the words about a cut.
        if (list.length > 0) expect(order.at(-1)).toBe(list.length - 1);
        const chars = digest.updates.reduce((sum, { update }) => sum + update.message.length, 0);
        expect(chars).toBeLessThanOrEqual(max + 40);
        expect(digestUpdates(list, max)).toEqual(digest);
      },
    ),
  );
});
