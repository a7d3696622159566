import { describe, expect, test } from "vitest";
import { z } from "zod";
import { formDraftOf, isFormDraft, newFormDraft } from "../../components/schema/form-draft.ts";
import { draftOf, parseDraft, pathText } from "../../components/schema/schema-draft.ts";
import { schemaField } from "../../components/schema/schema-field.ts";
import { valueLabel } from "../../components/schema/value-label.ts";
import type { JsonObject, JsonValue } from "../../server/core/json.ts";

function fieldOf(schema: z.ZodType) {
  return schemaField(z.toJSONSchema(schema, { io: "input" }) as JsonObject);
}

describe("schemaField", () => {
  test.each([
    [z.string(), "text"],
    [z.email(), "text"],
    [z.int(), "number"],
    [z.boolean(), "boolean"],
    [z.enum(["a", "b"]), "enum"],
    [z.literal("a"), "enum"],
    [z.array(z.enum(["a", "b"])), "set"],
    [z.array(z.string()), "list"],
    [z.object({ a: z.string() }), "group"],
    [z.string().nullable(), "text"],
    [z.union([z.string(), z.number()]), "json"],
    [z.record(z.string(), z.number()), "json"],
    [z.tuple([z.string(), z.number()]), "json"],
    [z.any(), "json"],
  ])("%#: the field that fits", (schema, kind) => {
    expect(fieldOf(schema).kind).toBe(kind);
  });

  test("null in the schema is what an empty field means", () => {
    const field = fieldOf(z.object({ note: z.string().nullable() }));
    expect(parseDraft(field, draftOf(field))).toEqual({ value: { note: null } });
  });

  test("a reference is followed, one that leads nowhere or round is edited as JSON", () => {
    const schema = {
      $ref: "#/$defs/point",
      $defs: { point: { type: "object", properties: { x: { type: "number" } } } },
    };
    expect(schemaField(schema).kind).toBe("group");
    expect(schemaField({ $ref: "#/$defs/none" }).kind).toBe("json");
    expect(schemaField({ $ref: "#" }).kind).toBe("json");
    const tree = {
      type: "object",
      properties: { child: { $ref: "#/$defs/tree" } },
      $defs: { tree: { type: "object", properties: { child: { $ref: "#/$defs/tree" } } } },
    };
    expect(schemaField(tree).kind).toBe("group");
  });

  test("nonsense is edited as JSON", () => {
    for (const schema of [{}, { type: 7 }, { type: "array" }, { anyOf: "x" }, { properties: [] }]) {
      expect(schemaField(schema as JsonObject).kind).toBe("json");
    }
  });
});

describe("parseDraft", () => {
  const field = fieldOf(
    z.object({
      name: z.string(),
      count: z.int(),
      ratio: z.number().optional(),
      urgent: z.boolean().optional(),
      colour: z.enum(["red", "green"]).default("green"),
      tags: z.array(z.string()).optional(),
      address: z.object({ street: z.string() }).optional(),
    }),
  );
  const empty = draftOf(field) as JsonObject;

  test("what is required says so, what is optional is left out, defaults are filled in", () => {
    expect(parseDraft(field, empty)).toEqual({
      issues: [
        { path: "name", message: "This is required." },
        { path: "count", message: "This is required." },
      ],
    });
    expect(parseDraft(field, { ...empty, name: "Ada", count: "3" })).toEqual({
      value: { name: "Ada", count: 3, colour: "green" },
    });
  });

  test("numbers: a comma is a point, halves are no integers, words are no numbers", () => {
    const parse = (count: string, ratio: string) =>
      parseDraft(field, { ...empty, name: "x", count, ratio });
    expect(parse(" 3 ", "1,5").value).toMatchObject({ count: 3, ratio: 1.5 });
    expect(parse("3.5", "").issues).toMatchObject([{ path: "count" }]);
    expect(parse("1", "much").issues).toMatchObject([{ path: "ratio" }]);
  });

  test("an optional group is asked for only when something in it is filled in", () => {
    const withName = { ...empty, name: "x", count: "1" };
    expect(parseDraft(field, withName).value).not.toHaveProperty("address");
    expect(parseDraft(field, { ...withName, address: { street: "A" } }).value).toMatchObject({
      address: { street: "A" },
    });
  });

  test("a draft of another shape never throws", () => {
    for (const draft of [null, 7, "x", [], { name: [], count: {}, tags: 3, address: "no" }]) {
      expect(parseDraft(field, draft).issues).toBeDefined();
    }
  });

  test("a value goes into a draft and comes out as it was", () => {
    const value = {
      name: "Ada",
      count: 2,
      urgent: false,
      colour: "red",
      tags: ["a"],
      address: { street: "B" },
    };
    expect(parseDraft(field, draftOf(field, value))).toEqual({ value });
  });

  test("a member named __proto__ is a member", () => {
    const odd = schemaField({
      type: "object",
      properties: JSON.parse('{"__proto__": {"type": "string"}}'),
    });
    const { value } = parseDraft(odd, JSON.parse('{"__proto__": "x"}'));
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
  });

  test("JSON text says where it goes wrong", () => {
    const json = schemaField({});
    expect(parseDraft(json, '{"a": 1}')).toEqual({ value: { a: 1 } });
    expect(parseDraft(json, "{").issues).toMatchObject(
      [{ message: /not JSON/ }].map(() => ({ path: "" })),
    );
  });
});

test("a list that needs items begins with them", () => {
  expect(draftOf(fieldOf(z.array(z.string()).min(2)))).toEqual(["", ""]);
});

test("paths read as the server's do", () => {
  const path = ["groups", 0, "odd.name", "x"];
  expect(pathText(path)).toBe(z.core.toDotPath(path));
  expect(pathText([])).toBe("");
});

test("a stored draft of another shape is told apart", () => {
  expect(isFormDraft(newFormDraft(null))).toBe(true);
  expect(isFormDraft(newFormDraft({ type: "string" }))).toBe(true);
  const others: JsonValue[] = [null, "x", [], {}, { as: "json" }, { as: "fields" }];
  for (const draft of others) {
    expect(isFormDraft(draft)).toBe(false);
  }
});

describe("formDraftOf", () => {
  const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" }) as JsonObject;
  const mail = schemaOf(
    z.object({
      host: z.string(),
      port: z.int().optional(),
      token: z.string().meta({ secret: true }),
    }),
  );

  test("fills the form, and leaves secrets to be entered anew", () => {
    expect(formDraftOf(mail, { host: "a.example", port: 25, token: "•••" })).toEqual({
      as: "fields",
      draft: { host: "a.example", port: "25", token: "" },
    });
  });

  test("is JSON where the form would lose something", () => {
    const value = { host: "a.example", legacy: true };
    const draft = formDraftOf(schemaOf(z.looseObject({ host: z.string() })), value);
    expect(draft.as).toBe("json");
    expect(draft.as === "json" && JSON.parse(draft.text)).toEqual(value);
    expect(formDraftOf(null, null)).toEqual({ as: "json", text: "{}" });
  });
});

test("a moment is chosen in the viewer's zone and sent as the moment it is everywhere", () => {
  const field = schemaField({ type: "string", format: "date-time" });
  const draft = draftOf(field, "2026-12-01T10:00:00Z");
  expect(draft).toMatch(/^2026-1[12]-\d\dT\d\d:\d\d$/);
  expect(parseDraft(field, draft)).toEqual({ value: "2026-12-01T10:00:00.000Z" });
  expect(parseDraft(field, draftOf(field, "2026-12-01T10:00:30+02:00"))).toEqual({
    value: "2026-12-01T08:00:30.000Z",
  });
});

test("values that are identifiers are written as words, others as they are", () => {
  const values = ["onErrors", "eu_west", "never", "EUR", "a b", "x.y", 3];
  expect(values.map(valueLabel)).toEqual([
    "On errors",
    "Eu west",
    "Never",
    "EUR",
    "a b",
    "x.y",
    "3",
  ]);
});
