import { describe, expect, test } from "vitest";
import { findInJson, previewOf, rowsOf } from "../../components/json/json-rows.ts";
import { shownRows, tablesIn, widthsOf } from "../../components/json/json-table.ts";
import { allBranches, initiallyOpen } from "../../components/json/json-tree.ts";
import type { JsonObject } from "../../server/core/json.ts";

describe("JSON as a tree", () => {
  test("a megabyte is folded but for about a screenful", () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, tags: [id] }));
    const value = { rows, ok: true };
    expect([...initiallyOpen(value)]).toEqual([value]);
    expect(initiallyOpen({ a: { b: { c: 1 } } }).size).toBe(3);
    expect(rowsOf(value, initiallyOpen(value))).toHaveLength(3);
    expect(rowsOf(value, allBranches(value))).toHaveLength(3 + 20_000 * 4);
  });

  test("each line has a place of its own, whatever its name", () => {
    const value = { "a/b": [1], "a~1b": {}, "": [] };
    const rows = rowsOf(value, allBranches(value));
    expect(rows.map(({ path, depth, isOpen }) => [path, depth, isOpen])).toEqual([
      ["", 0, true],
      ["/a~1b", 1, true],
      ["/a~1b/0", 2, null],
      ["/a~01b", 1, null],
      ["/", 1, null],
    ]);
  });

  test("names and values are found, with what has to be unfolded for them", () => {
    const inner = { city: "Oslo", code: 471 };
    const value = { people: [{ name: "Ada", address: inner }], Oslo: null };
    expect(findInJson(value, "oslo", 10)).toEqual([
      { path: "/people/0/address/city", within: [value, value.people, value.people[0], inner] },
      { path: "/Oslo", within: [value] },
    ]);
    expect(findInJson(value, "47", 10)).toHaveLength(1);
    expect(findInJson(value, "o", 2)).toHaveLength(2);
    expect(findInJson(value, "", 10)).toEqual([]);
  });

  test("what is folded says how it begins", () => {
    expect(previewOf({ id: 1, name: "a\n b", tags: [] })).toBe("{ id: 1, name: a b, … }");
    expect(previewOf({ tags: [1, 2] })).toBe("{1 member}");
    expect(previewOf([1, 2])).toBe("[2 items]");
  });
});

describe("JSON as a table", () => {
  const value: JsonObject = {
    report: { rows: [{ id: 10, who: "b" }, { id: 9 }, { id: null, who: "a" }] },
    mixed: [{ a: 1 }, 2],
    unlike: [{ a: 1 }, { b: 1 }, { c: 1 }, { d: 1 }],
  };

  test("is made of lists of objects that are alike, and of no others", () => {
    const [table, ...others] = tablesIn(value);
    expect(others).toEqual([]);
    expect(table).toMatchObject({
      path: "/report/rows",
      name: "report.rows",
      columns: ["id", "who"],
    });
    expect(tablesIn([{ a: 1 }, { a: 2 }])).toMatchObject([{ path: "", name: "list" }]);
  });

  test("is sorted by a column, with what has no value last, and narrowed to a text", () => {
    const [table] = tablesIn(value);
    if (!table) throw new Error("no table");
    expect(shownRows(table, "", null)).toEqual([0, 1, 2]);
    expect(shownRows(table, "", { column: "id", descending: false })).toEqual([1, 0, 2]);
    expect(shownRows(table, "", { column: "id", descending: true })).toEqual([0, 1, 2]);
    expect(shownRows(table, "A", null)).toEqual([2]);
    expect(widthsOf(table)).toEqual([5, 6]);
  });
});
