import type { KeyPress, KeyTarget } from "./shortcut.ts";

const fields =
  "textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=file])";
const controls =
  "a[href], button, summary, input, select, textarea, [role=button], [role=option], [role=tab], [role=menuitem], [role=treeitem]";
const dialogs = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox], dialog";
const openModals =
  "[role=dialog][data-state=open], [role=alertdialog][data-state=open], [role=menu][data-state=open], dialog[open]";

/** Reads from where a key was pressed. */
export function keyTarget(target: EventTarget | null): KeyTarget {
  const element = target instanceof HTMLElement ? target : null;
  return {
    isField: element !== null && (element.matches(fields) || element.isContentEditable),
    isControl: element?.matches(controls) ?? false,
    isInDialog: Boolean(element?.closest(dialogs)) || document.querySelector(openModals) !== null,
  };
}

export function keyPress(event: KeyboardEvent): KeyPress {
  return {
    key: event.key,
    repeat: event.repeat,
    // 229 is what Safari says of the key that ends a composition.
    isComposing: event.isComposing || event.keyCode === 229,
    hasModifier: event.ctrlKey || event.metaKey || event.altKey,
  };
}
