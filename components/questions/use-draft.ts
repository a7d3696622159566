"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { JsonValue } from "@/server/core/json.ts";
import { clearDraft, readDraft, writeDraft } from "./drafts.ts";

const writeAfterMillis = 250;

const unchanged = (draft: JsonValue) => draft;

export interface Draft<T> {
  value: T;
  set(value: T): void;
  /** Call it once the draft was sent. */
  clear(): void;
}

/**
 * State that survives a re-mount and a reload of the tab. A stored draft of another shape, from an
 * earlier form of the same question, is left aside.
 *
 * @param toStored what of it may be stored, for a draft with secrets in it; null for nothing.
 */
export function useDraft<T extends JsonValue>(
  name: string,
  initial: () => T,
  isShaped: (draft: JsonValue) => draft is T,
  toStored: (draft: T) => JsonValue = unchanged,
): Draft<T> {
  const [value, setValue] = useState<T>(() => {
    const stored = readDraft(name);
    return stored !== null && isShaped(stored) ? stored : initial();
  });
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; value: T } | null>(null);

  const storing = useRef(toStored);
  useEffect(() => {
    storing.current = toStored;
  }, [toStored]);

  const flush = useCallback(() => {
    if (pending.current === null) return;
    clearTimeout(pending.current.timer);
    const stored = storing.current(pending.current.value);
    if (stored === null) clearDraft(name);
    else writeDraft(name, stored);
    pending.current = null;
  }, [name]);

  useEffect(() => {
    addEventListener("pagehide", flush);
    return () => {
      removeEventListener("pagehide", flush);
      flush();
    };
  }, [flush]);

  const set = useCallback(
    (next: T) => {
      setValue(next);
      if (pending.current !== null) clearTimeout(pending.current.timer);
      pending.current = { timer: setTimeout(flush, writeAfterMillis), value: next };
    },
    [flush],
  );

  const clear = useCallback(() => {
    if (pending.current !== null) clearTimeout(pending.current.timer);
    pending.current = null;
    clearDraft(name);
  }, [name]);

  return { value, set, clear };
}
