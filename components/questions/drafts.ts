import type { JsonValue } from "@/server/core/json.ts";

const prefix = "toolthread.draft.";

// A page may be forbidden storage, and storage may be full: a draft is then kept only while the
// page is open, which is no reason to fail.
function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

/** What was typed under this name earlier in this tab; null when nothing was. */
export function readDraft(name: string): JsonValue | null {
  try {
    const text = storage()?.getItem(prefix + name);
    return text ? (JSON.parse(text) as JsonValue) : null;
  } catch {
    return null;
  }
}

export function writeDraft(name: string, draft: JsonValue): void {
  try {
    storage()?.setItem(prefix + name, JSON.stringify(draft));
  } catch {
    // See above.
  }
}

export function clearDraft(name: string): void {
  storage()?.removeItem(prefix + name);
}
