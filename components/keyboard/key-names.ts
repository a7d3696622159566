const signs: Record<string, string> = {
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "↵",
  " ": "Space",
};

/** The keys of a shortcut as they stand on a keyboard, press by press: `g i` is `[["G"], ["I"]]`. */
export function keyNames(keys: string, isMac: boolean): string[][] {
  const modifiers: Record<string, string> = isMac
    ? { $mod: "⌘", Shift: "⇧", Alt: "⌥", Control: "⌃" }
    : { $mod: "Ctrl", Control: "Ctrl" };
  return keys
    .split(" ")
    .map((press) =>
      press
        .split(/\b\+/)
        .map((key) => modifiers[key] ?? signs[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
    );
}

/** For `aria-keyshortcuts`; empty for keys pressed one after the other, which it cannot say. */
export function ariaKeys(keys: string): string | undefined {
  return keys.includes(" ") ? undefined : keys.replace("$mod", "Control");
}
