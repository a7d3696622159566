import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidInput } from "../../server/core/errors.ts";
import { canonicalJson, type JsonValue, jsonEquals, toJsonValue } from "../../server/core/json.ts";

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return null;
}

describe("toJsonValue", () => {
  test("keeps whatever JSON can hold", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.stringify(toJsonValue(value, "it"))).toBe(JSON.stringify(value));
      }),
    );
  });

  test("copies deeply", () => {
    const original = { list: [{ a: 1 }] };
    const copied = toJsonValue(original, "it") as typeof original;
    original.list[0]!.a = 2;
    expect(copied).toEqual({ list: [{ a: 1 }] });
  });

  test("writes what has toJSON the way JSON does, and leaves undefined properties out", () => {
    const value = { at: new Date("2026-11-30T12:00:00Z"), nothing: undefined };
    expect(toJsonValue(value, "it")).toEqual({ at: "2026-11-30T12:00:00.000Z" });
    expect(toJsonValue(value, "it")).not.toHaveProperty("nothing");
  });

  test("keeps a member called __proto__ as a member", () => {
    const copied = toJsonValue(JSON.parse('{"__proto__": {"admin": true}}'), "it") as object;
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
    expect(JSON.stringify(copied)).toBe('{"__proto__":{"admin":true}}');
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;

  test.each([
    ["a function", { f: () => 1 }, "params.f"],
    ["a symbol", { a: [Symbol("s")] }, "params.a[0]"],
    ["a BigInt", { big: 1n }, "params.big"],
    ["NaN", { n: Number.NaN }, "params.n"],
    ["an infinity", [Number.POSITIVE_INFINITY], "params[0]"],
    ["undefined in a list", { list: [1, undefined] }, "params.list[1]"],
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    ["a hole in a list", { list: [1, , 2] }, "params.list[1]"],
    ["undefined itself", undefined, "params"],
    ["a cycle", cycle, "params.self"],
    ["a Map", { m: new Map([["a", 1]]) }, "params.m"],
    ["a Set", { s: new Set([1]) }, "params.s"],
    ["a promise nobody awaited", { rows: Promise.resolve([]) }, "params.rows"],
    ["a regular expression", { r: /x/ }, "params.r"],
    ["bytes", { b: new Uint8Array([1]) }, "params.b"],
    ["an error", { e: new Error("x") }, "params.e"],
  ])("refuses %s and says where it is", (_what, value, path) => {
    const thrown = caught(() => toJsonValue(value, "params"));
    expect(thrown).toBeInstanceOf(InvalidInput);
    expect(thrown).toMatchObject({
      details: { path },
      message: expect.stringMatching(new RegExp(`^${path.replace(/[[\]]/g, "\\$&")} `)),
    });
  });

  test("refuses what is nested too deeply to be written again, and not by crashing", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(() => toJsonValue(deep, "params")).toThrow(InvalidInput);
  });

  test("lets one object stand in two places", () => {
    const shared = { a: 1 };
    expect(toJsonValue([shared, shared], "it")).toEqual([{ a: 1 }, { a: 1 }]);
  });
});

describe("canonicalJson", () => {
  test("is JSON of the same data", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(jsonEquals(JSON.parse(canonicalJson(value)), value)).toBe(true);
      }),
    );
  });

  test("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(object));
      }),
    );
  });

  test("tells different data apart", () => {
    const samples: JsonValue[] = [null, 0, "0", false, "", [], {}, [null], { "": null }, [[]]];
    expect(new Set(samples.map(canonicalJson)).size).toBe(samples.length);
    expect(jsonEquals([1, 2], [2, 1])).toBe(false);
  });
});
