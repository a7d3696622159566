import { useSyncExternalStore } from "react";
import { type QuestionData, type Urgency, urgencies } from "@/server/core/task-question.ts";

/** How this browser asks for its person's attention, and for what. */
export interface AttentionSettings {
  /** The number of open questions in the tab's title, its icon and the installed app's. */
  title: boolean;
  /** A notification of the system, while a tab is open somewhere. */
  notification: boolean;
  sound: boolean;
  /** A notification also while no tab is open. */
  push: boolean;
  urgencies: Urgency[];
  /** Null for all task types. */
  types: string[] | null;
}

const key = "toolthread:attention";

const initial: AttentionSettings = {
  title: true,
  notification: false,
  sound: false,
  push: false,
  urgencies: [...urgencies],
  types: null,
};

const listeners = new Set<() => void>();
let current: { text: string | null; settings: AttentionSettings } | null = null;

/** What this browser is set to. */
export function attentionSettings(): AttentionSettings {
  const text = stored();
  if (current?.text !== text) current = { text, settings: { ...initial, ...parse(text) } };
  return current?.settings ?? initial;
}

export function changeAttention(change: Partial<AttentionSettings>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...attentionSettings(), ...change }));
  } catch {
    // A browser that keeps nothing is not set to anything for long.
  }
  for (const listener of listeners) listener();
}

/** The settings, also as another tab changes them. */
export function useAttentionSettings(): AttentionSettings {
  return useSyncExternalStore(subscribe, attentionSettings, () => initial);
}

/** Whether somebody with these settings wants to hear of the question. */
export function isWanted(
  { urgencies, types }: AttentionSettings,
  { urgency }: Pick<QuestionData, "urgency">,
  taskType: string,
): boolean {
  return urgencies.includes(urgency) && (types === null || types.includes(taskType));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

function stored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function parse(text: string | null): Partial<AttentionSettings> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
