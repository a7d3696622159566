"use client";

import { useSyncExternalStore } from "react";
import { isFor, outbox, type Pending } from "./outbox.ts";

const nothing: readonly Pending[] = [];

/** What was said on this page and is not sent yet. */
export function usePending(): readonly Pending[] {
  return useSyncExternalStore(outbox.subscribe, outbox.pending, () => nothing);
}

/** What was said to this question and is not sent yet. */
export function usePendingFor(questionId: string): Pending | null {
  return usePending().find((pending) => isFor(pending, questionId)) ?? null;
}
