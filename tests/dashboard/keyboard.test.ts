import { describe, expect, test } from "vitest";
import { ariaKeys, keyNames } from "../../components/keyboard/key-names.ts";
import {
  type KeyPress,
  type KeyTarget,
  mayRun,
  type Shortcut,
  waysToPress,
} from "../../components/keyboard/shortcut.ts";
import { shortcutSections } from "../../components/keyboard/shortcut-sections.ts";

const page: KeyTarget = { isField: false, isControl: false, isInDialog: false };
const field: KeyTarget = { ...page, isField: true, isControl: true };
const button: KeyTarget = { ...page, isControl: true };
const dialog: KeyTarget = { ...page, isInDialog: true };

const plain: KeyPress = { key: "j", repeat: false, isComposing: false, hasModifier: false };
const shortcut: Shortcut = { keys: "j", label: "Next", run: () => {} };

function runs(
  change: Partial<Shortcut>,
  press: Partial<KeyPress>,
  target: KeyTarget = page,
  singleKeysOn = true,
): boolean {
  return mayRun({ ...shortcut, ...change }, { ...plain, ...press }, target, singleKeysOn);
}

describe("where a key may do something", () => {
  test("on the page and on a button a letter does", () => {
    expect(runs({}, {})).toBe(true);
    expect(runs({}, {}, button)).toBe(true);
  });

  test("a text field keeps its letters, even from a shortcut for fields", () => {
    expect(runs({}, {}, field)).toBe(false);
    expect(runs({ inFields: true }, {}, field)).toBe(false);
    expect(runs({}, { key: "Enter", hasModifier: true }, field)).toBe(false);
    expect(runs({ inFields: true }, { key: "Enter", hasModifier: true }, field)).toBe(true);
    expect(runs({ inFields: true }, { key: "Escape" }, field)).toBe(true);
  });

  test("a button keeps Enter, Space and the arrows", () => {
    for (const key of ["Enter", " ", "ArrowDown"]) {
      expect(runs({}, { key }, button)).toBe(false);
      expect(runs({}, { key }, page)).toBe(true);
    }
    expect(runs({}, { key: "Enter", hasModifier: true }, button)).toBe(true);
  });

  test("nothing happens behind a dialog", () => {
    expect(runs({}, {}, dialog)).toBe(false);
    expect(runs({ inDialogs: true }, {}, dialog)).toBe(true);
  });

  test("a key held down does it once, unless said otherwise", () => {
    expect(runs({}, { repeat: true })).toBe(false);
    expect(runs({ repeats: true }, { repeat: true })).toBe(true);
  });

  test("a composition is left alone, and so is what has nothing to do", () => {
    expect(runs({}, { isComposing: true })).toBe(false);
    expect(runs({ when: false }, {})).toBe(false);
  });

  test("single keys can be switched off", () => {
    expect(runs({}, {}, page, false)).toBe(false);
    expect(runs({}, { key: "Escape" }, page, false)).toBe(true);
    expect(runs({}, { key: "k", hasModifier: true }, page, false)).toBe(true);
  });
});

test("signs and digits may need Shift, letters do not", () => {
  expect(waysToPress("?")).toEqual(["?", "Shift+?"]);
  expect(waysToPress("1")).toEqual(["1", "Shift+1"]);
  expect(waysToPress("j")).toEqual(["j"]);
  expect(waysToPress("g i")).toEqual(["g i"]);
});

test("keys are named as they stand on the keyboard", () => {
  expect(keyNames("$mod+k", true)).toEqual([["⌘", "K"]]);
  expect(keyNames("$mod+k", false)).toEqual([["Ctrl", "K"]]);
  expect(keyNames("g i", false)).toEqual([["G"], ["I"]]);
  expect(keyNames("Shift++", false)).toEqual([["Shift", "+"]]);
  expect(keyNames("+", false)).toEqual([["+"]]);
  expect(ariaKeys("$mod+k")).toBe("Control+k");
  expect(ariaKeys("g i")).toBeUndefined();
});

test("the help lists what runs: the page first, and of two for the same keys the later one", () => {
  const run = () => {};
  const sections = shortcutSections([
    { keys: "g i", label: "Go to the inbox", section: "Everywhere", run },
    { keys: ["j", "ArrowDown"], label: "Next row", section: "List", run },
    { keys: "j", label: "Next question", section: "Inbox", run },
    { keys: "x", label: "Select", run },
  ]);
  expect(sections.map(({ section, items }) => [section, items.map(({ label }) => label)])).toEqual([
    ["Inbox", ["Next question"]],
    ["This page", ["Select"]],
    ["Everywhere", ["Go to the inbox"]],
  ]);
});
