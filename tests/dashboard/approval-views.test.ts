import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { droppedText, previousText } from "../../components/questions/approval-history.ts";
import { outcomeText, saidText } from "../../components/questions/countdown-text.ts";
import { jsonChanges } from "../../components/questions/json-changes.ts";
import { visibleJson, visibleText, withEscapes } from "../../components/questions/visible-json.ts";
import type { Actor } from "../../server/core/actor.ts";
import type { Approval } from "../../server/core/approval.ts";
import { type JsonValue, jsonEquals } from "../../server/core/json.ts";
import { newQuestionData, type QuestionFields } from "../../server/core/task-question.ts";

const json = fc
  .jsonValue({ maxDepth: 3 })
  // As it would come over a network: without -0.
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

const ann: Actor = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" };
const bob: Actor = { ...ann, id: "bob", name: "Bob" };
const at = (second: number) => `2026-11-30T12:00:0${second}.000000Z`;

function approvalQuestion(approval: Partial<Approval>, fields: Partial<QuestionFields> = {}) {
  return newQuestionData({
    taskId: "t_1",
    prompt: "Approve refund?",
    askedAt: at(0),
    approval: {
      action: "refund",
      args: {},
      argsDigest: "d",
      askedDigest: "d",
      argsSchema: null,
      allowEdit: true,
      edited: null,
      needed: 2,
      given: [],
      selfApproval: true,
      expiresIn: 900,
      expiresAt: null,
      usedBy: null,
      ...approval,
    },
    ...fields,
  });
}

describe("arguments as people see them", () => {
  test("are the same JSON, indented", () => {
    expect(visibleJson({ a: [1, "x"] })).toBe('{\n  "a": [\n    1,\n    "x"\n  ]\n}');
    fc.assert(
      fc.property(json, (value) => jsonEquals(JSON.parse(visibleJson(value)) as JsonValue, value)),
    );
  });

  test.each([
    ["a mark that turns the text around", "\u202e", "\\u202e"],
    ["an isolate", "\u2066", "\\u2066"],
    ["a space of no width", "\u200b", "\\u200b"],
    ["a space that does not break", "\u00a0", "\\u00a0"],
    ["a soft hyphen", "\u00ad", "\\u00ad"],
    ["a line separator", "\u2028", "\\u2028"],
    ["a filler", "\u3164", "\\u3164"],
    ["a variation selector", "\ufe0f", "\\ufe0f"],
    ["a tag", "\u{e0041}", "\\udb40\\udc41"],
    ["a delete", "\u007f", "\\u007f"],
    ["half a character", "\ud800", "\\ud800"],
    ["a line break", "\n", "\\n"],
    ["what only looks like an escape", "\\u202e", "\\\\u202e"],
  ])("show %s", (_, text, shown) => {
    expect(visibleJson(text)).toBe(`"${shown}"`);
    expect(JSON.parse(visibleJson(text))).toBe(text);
    expect(visibleText(text)).toBe(shown);
  });

  test("leave what can be seen as it is", () => {
    const text = "Überweisung an Łódź, שלום, 你好, 👩, 1 000 €";
    expect(visibleJson(text)).toBe(`"${text}"`);
    expect(withEscapes(`${text}\n`)).toBe(`${text}\n`);
  });
});

describe("what changed", () => {
  test.each<[string, JsonValue, JsonValue, unknown[]]>([
    ["nothing, whatever the order of keys", { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ["a member", { a: { b: 1 } }, { a: { b: 2 } }, [["a.b", 1, 2]]],
    [
      "a new one and one that is gone",
      { a: 1 },
      { b: 1 },
      [
        ["b", undefined, 1],
        ["a", 1, undefined],
      ],
    ],
    ["null is a value", { a: null }, {}, [["a", null, undefined]]],
    ["an item put in", ["x", "y"], ["x", "new", "y"], [["[1]", undefined, "new"]]],
    ["an item taken out", [1, 2, 3], [2, 3], [["[0]", 1, undefined]]],
    ["a member of an item", [{ n: 1 }, 0], [{ n: 2 }, 0], [["[0].n", 1, 2]]],
    ["the kind of value", { a: [1] }, { a: { 0: 1 } }, [["a", [1], { 0: 1 }]]],
    ["all of it", 1, "1", [["", 1, "1"]]],
    ["odd keys", { "a.b": 1 }, { "a.b": 2 }, [['["a.b"]', 1, 2]]],
    ["a key of every object's", {}, { constructor: 1 }, [["constructor", undefined, 1]]],
  ])("%s", (_, before, after, changes) => {
    const found = jsonChanges(before, after);
    expect(found.map(({ path, before: b, after: a }) => [path, b, a])).toEqual(changes);
  });

  test("is nothing exactly when both are equal, and each place is told once", () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const changes = jsonChanges(before, after);
        expect(changes.length === 0).toBe(jsonEquals(before, after));
        expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length);
      }),
    );
  });
});

describe("in words", () => {
  const given = [
    { by: ann, at: at(1) },
    { by: bob, at: at(2) },
  ];

  test("an approval names everybody who gave it, and says if it was edited", () => {
    const resolved = { outcome: "answered", resolvedAt: at(2), resolvedBy: bob } as const;
    const plain = approvalQuestion({ given }, resolved);
    expect(outcomeText(plain)).toBe("Approved by Ann and Bob after 2.0 s");
    expect(saidText(plain)).toBe("refund");
    const edited = { by: bob, at: at(2), askedArgs: {} };
    expect(saidText(approvalQuestion({ given, edited }, resolved))).toBe(
      "refund, with arguments edited by Bob",
    );
    const declined = { outcome: "declined", declineReason: "too much" } as const;
    expect(saidText(approvalQuestion({}, declined))).toBe("too much");
    expect([droppedText(1), droppedText(2)]).toEqual([
      "The approval before the edit no longer counts.",
      "The 2 approvals before the edit no longer count.",
    ]);
  });

  test("the last time says how it ended and where", () => {
    const answered = approvalQuestion({ given }, { outcome: "answered", resolvedBy: bob });
    expect(previousText(answered, "t_1")).toBe("approved by Ann and Bob, in this task,");
    const declined = approvalQuestion({}, { outcome: "declined", resolvedBy: bob });
    expect(previousText(declined, "t_2")).toBe("declined by Bob, in another task of this type,");
    expect(previousText(approvalQuestion({}), "t_1")).toBe("still open, in this task,");
  });
});
