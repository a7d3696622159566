/** One thing the keyboard does on a page. */
export interface Shortcut {
  /**
   * In the notation of tinykeys: `j`, `Shift+x`, `$mod+k` (⌘ on a Mac, Ctrl elsewhere), `g i` (one
   * after the other), `Escape`. Several that do the same are a list; the first one is shown.
   */
  keys: string | readonly string[];
  /** What it does, as a person would say it: `Next question`. */
  label: string;
  /** The heading it stands under in the help; by default the page's own. */
  section?: string;
  run: () => void;
  /** False while there is nothing it could do: it is then neither run nor listed. */
  when?: boolean;
  /** True to run while somebody types in a text field as well; it needs a modifier, or Escape. */
  inFields?: boolean;
  /** True to run while a dialog is open as well. */
  inDialogs?: boolean;
  /** True to run again and again while the key is held down. */
  repeats?: boolean;
  /** False to leave it out of the command palette, where it would make no sense. */
  inPalette?: boolean;
}

/** The parts of an event's target that decide what a key may do there. */
export interface KeyTarget {
  /** A text field, a select, a date: letters belong to it. */
  isField: boolean;
  /** Enter, Space and the arrows mean something to it: a button, a link, a box to tick. */
  isControl: boolean;
  isInDialog: boolean;
}

export interface KeyPress {
  key: string;
  repeat: boolean;
  isComposing: boolean;
  hasModifier: boolean;
}

export function keysOf({ keys }: Pick<Shortcut, "keys">): readonly string[] {
  return typeof keys === "string" ? [keys] : keys;
}

/**
 * Every way to press these keys. A sign or a digit may need Shift on one keyboard and none on another,
 * and it is the sign that is meant.
 */
export function waysToPress(keys: string): string[] {
  return /^[^a-z\s]$/i.test(keys) ? [keys, `Shift+${keys}`] : [keys];
}

const controlKeys = /^(Enter| |Spacebar|Arrow.+|Home|End|PageUp|PageDown)$/;

/** Whether a press may run the shortcut where it happened. Nothing is ever taken from a text field. */
export function mayRun(
  shortcut: Pick<Shortcut, "when" | "inFields" | "inDialogs" | "repeats">,
  press: KeyPress,
  target: KeyTarget,
  singleKeysOn: boolean,
): boolean {
  const { when = true, inFields, inDialogs, repeats } = shortcut;
  const isCharacter = [...press.key].length === 1 && !press.hasModifier;
  if (!when || press.isComposing || (press.repeat && !repeats)) return false;
  if (target.isInDialog && !inDialogs) return false;
  if (target.isField && (!inFields || isCharacter)) return false;
  if (target.isControl && !press.hasModifier && controlKeys.test(press.key)) return false;
  return singleKeysOn || !isCharacter;
}
