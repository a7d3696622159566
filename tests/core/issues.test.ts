import { expect, test } from "vitest";
import { z } from "zod";
import { describeIssues } from "../../server/core/issues.ts";

const issuesOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];

test("issues say where and why, for programs and for people", () => {
  const schema = z.strictObject({ files: z.array(z.object({ name: z.string() })), n: z.number() });
  const { issues, text } = describeIssues(issuesOf(schema, { files: [{ name: 1 }], x: 1 }));
  expect(issues.map(({ path }) => path)).toEqual(["files[0].name", "n", ""]);
  expect(text).toMatch(/^files\[0\]\.name: .*string.*; n: .*; Unrecognized key: "x"$/);
});

test("the first twenty are told, and how many more there are", () => {
  const { issues, text } = describeIssues(issuesOf(z.array(z.string()), Array(1000).fill(1)));
  expect(issues.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, i) => `[${i}]`));
  expect(text).toMatch(/; and 980 more$/);
  expect(describeIssues(issuesOf(z.array(z.string()), Array(20).fill(1))).text).not.toContain(
    "more",
  );
});

test("neither a long name nor a long message makes a long issue", () => {
  const name = "n".repeat(10_000);
  const inside = describeIssues(issuesOf(z.record(z.string(), z.string()), { [name]: 1 }));
  expect(inside.text.length).toBeLessThan(1200);
  const unknown = describeIssues(issuesOf(z.strictObject({}), { [name]: 1 }));
  expect(unknown.text.length).toBeLessThan(600);
  expect(unknown.issues[0]?.message).toMatch(/^Unrecognized key: "n+…$/);
});
