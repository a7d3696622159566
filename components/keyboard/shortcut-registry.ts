import { createKeybindingsHandler, type KeyBindingMap } from "tinykeys";
import { keyPress, keyTarget } from "./key-target.ts";
import { keysOf, mayRun, type Shortcut, waysToPress } from "./shortcut.ts";
import { singleKeys } from "./single-keys.ts";

/** The shortcuts of one component that is on the page. */
export interface ShortcutGroup {
  shortcuts: readonly Shortcut[];
}

/**
 * All shortcuts of the page. Of two for the same keys the one that came last wins while it has
 * something to do, so that a part of a page may refine what the page does.
 */
class ShortcutRegistry {
  #groups: readonly ShortcutGroup[] = [];
  #listeners = new Set<() => void>();
  #listed: readonly Shortcut[] = [];
  #handle: ((event: Event) => void) | null = null;

  add(group: ShortcutGroup): () => void {
    if (this.#groups.length === 0) addEventListener("keydown", this.#onKeyDown);
    this.#groups = [...this.#groups, group];
    this.changed();
    return () => {
      this.#groups = this.#groups.filter((each) => each !== group);
      if (this.#groups.length === 0) removeEventListener("keydown", this.#onKeyDown);
      this.changed();
    };
  }

  /** To be called when what a group has is another thing than before. */
  changed(): void {
    this.#handle = null;
    this.#listed = this.#groups
      .flatMap(({ shortcuts }) => shortcuts)
      .filter(({ when = true }) => when);
    for (const listener of this.#listeners) listener();
  }

  /** What the keyboard does now; the same array until that changes. */
  readonly listed = (): readonly Shortcut[] => this.#listed;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    const press = keyPress(event);
    const target = keyTarget(event.target);
    // Whatever is typed is no part of a sequence either.
    const isTyped = target.isField && !press.hasModifier && [...press.key].length === 1;
    if (event.defaultPrevented || press.isComposing || isTyped) return;
    this.#handle ??= createKeybindingsHandler(this.#bindings()) as (event: Event) => void;
    this.#handle(event);
    const isLeaving = press.key === "Escape" && target.isField && !target.isInDialog;
    if (!isLeaving || event.defaultPrevented) return;
    // Escape leaves a field. What was typed stays, where the browser would empty a search.
    event.preventDefault();
    (event.target as HTMLElement).blur();
  };

  #bindings(): KeyBindingMap {
    const all = this.#groups.flatMap(({ shortcuts }) => shortcuts.flatMap(keysOf));
    // Those of several keys come first: their last key may be another one's only key.
    const keys = [...new Set(all)].sort((a, b) => b.split(" ").length - a.split(" ").length);
    return Object.fromEntries(
      keys.flatMap((each) =>
        waysToPress(each).map((way) => [way, (event: KeyboardEvent) => this.#run(each, event)]),
      ),
    );
  }

  #run(keys: string, event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    const [press, target] = [keyPress(event), keyTarget(event.target)];
    const found = this.#groups
      .flatMap(({ shortcuts }) => shortcuts)
      .findLast(
        (each) => keysOf(each).includes(keys) && mayRun(each, press, target, singleKeys.get()),
      );
    if (!found) return;
    event.preventDefault();
    found.run();
  }
}

export const shortcutRegistry = new ShortcutRegistry();
