import { expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../server/index.ts";
import { ann, drive, openQuestion, rejection, testEngine, watch } from "./test-engine.ts";

interface Node {
  name: string;
  parts?: (Node | null)[] | undefined;
}
const node: z.ZodType<Node> = z.object({
  name: z.string(),
  parts: z.array(z.union([z.null(), z.lazy(() => node)])).optional(),
});

test.each<[string, JsonObject]>([
  ["to the whole", { $ref: "#" }],
  ["to itself", { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }],
  [
    "round two definitions",
    { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
  ],
  ["among alternatives", { anyOf: [{ const: "x" }, { $ref: "#" }] }],
  ["one of several", { oneOf: [{ type: "string" }, { allOf: [{ $ref: "#" }] }] }],
  [
    "in a property",
    {
      type: "object",
      properties: { a: { $ref: "#/$defs/a~1b" } },
      $defs: { "a/b": { anyOf: [{ type: "null" }, { $ref: "#/$defs/a~1b" }] } },
    },
  ],
])("a schema with a reference that leads back to itself is refused: %s", async (_, schema) => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const error = await rejection(ctx.ask({ prompt: "What?", schema }));
  expect(error).toMatchObject({ code: "invalid_input" });
  expect(error.message).toContain("leads back to itself");
  expect((await engine.manager.getTask(taskId)).questions).toEqual([]);
});

test.each<[string, JsonObject | z.ZodType]>([
  [
    "JSON Schema",
    {
      $ref: "#/$defs/node",
      $defs: {
        name: { type: "string" },
        node: {
          type: "object",
          required: ["name"],
          properties: {
            name: { $ref: "#/$defs/name" },
            alias: { $ref: "#/$defs/name" },
            parts: {
              type: "array",
              items: { anyOf: [{ type: "null" }, { $ref: "#/$defs/node" }] },
            },
          },
        },
      },
    },
  ],
  ["zod", node],
])("a schema of a tree is fine: %s", async (_, schema) => {
  const engine = testEngine();
  const { taskId, ctx } = await drive(engine);
  const asked = watch(ctx.ask({ prompt: "What?", schema }));
  await engine.clock.settle();
  const { questionId } = await openQuestion(engine, taskId);
  const answer = { name: "a", parts: [null, { name: "b", parts: [{ name: "c" }] }] };
  const wrong = { name: "a", parts: [null, { name: "b", parts: [{ name: 3 }] }] };
  const refusal = await rejection(engine.manager.answerQuestion(questionId, wrong, { actor: ann }));
  expect(refusal).toMatchObject({ code: "invalid_answer" });
  expect(await engine.manager.respondToQuestion(taskId, questionId, answer)).toBe(true);
  await engine.clock.settle();
  expect(asked.value).toMatchObject({ outcome: "answered", answer });
});

test.each<[string, JsonObject, unknown, unknown]>([
  ["of a text", { type: "string", pattern: "^(a+)+$" }, `${"a".repeat(60)}!`, "aaa"],
  [
    "of names, deep inside",
    {
      type: "object",
      properties: {
        in: { type: "object", patternProperties: { "^(\\w|_)*$": { type: "string" } } },
      },
    },
    { in: { [`${"_".repeat(60)}!`]: "x" } },
    { in: { name: "x" } },
  ],
  [
    "among alternatives",
    { anyOf: [{ type: "number" }, { type: "string", pattern: "^(([a-z])+.)+[A-Z]([a-z])+$" }] },
    "a".repeat(80),
    3,
  ],
])(
  "a pattern that takes for ever over an answer holds nothing up: %s",
  async (_, schema, bad, good) => {
    const engine = testEngine();
    const { taskId, ctx } = await drive(engine);
    const asked = ctx.ask({ prompt: "What?", schema });
    const { questionId } = await openQuestion(engine, taskId);
    const began = performance.now();
    const error = await rejection(engine.manager.answerQuestion(questionId, bad, { actor: ann }));
    expect(error).toMatchObject({ code: "invalid_answer" });
    expect(error.message).toContain("takes too long");
    // Without a bound it would be years.
    expect(performance.now() - began).toBeLessThan(20_000);
    await engine.manager.answerQuestion(questionId, good, { actor: ann });
    expect((await asked).answer).toEqual(good);
    const preset = ctx.ask({ prompt: "Again?", schema, default: bad as never });
    expect(await rejection(preset)).toMatchObject({ code: "invalid_input" });
  },
);

/** Forty definitions, each with the one before it twice: a billion times a thousand checks. */
function doubling(how: "allOf" | "anyOf" | "oneOf"): JsonObject {
  const $defs: JsonObject = { a0: { type: "string", minLength: 3 } };
  for (let i = 1; i <= 40; i += 1) {
    const before = { $ref: `#/$defs/a${i - 1}` };
    $defs[`a${i}`] = { [how]: [before, before] };
  }
  return { $defs, $ref: "#/$defs/a40" };
}

test.each(["allOf", "anyOf", "oneOf"] as const)(
  "a schema whose definitions double again and again by %s holds nothing up",
  async (how) => {
    const engine = testEngine();
    const { taskId, ctx } = await drive(engine);
    void ctx.ask({ prompt: "What?", schema: doubling(how) });
    const { questionId } = await openQuestion(engine, taskId);
    const error = await rejection(engine.manager.answerQuestion(questionId, "x", { actor: ann }));
    expect(error).toMatchObject({ code: "invalid_answer" });
    expect(error.message).toContain("takes too long");
    const { won } = await engine.manager.declineQuestion(questionId, { actor: ann });
    expect(won).toBe(true);
  },
);
