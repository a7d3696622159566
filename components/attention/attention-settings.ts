import { type QuestionData, type Urgency, urgencies } from "@/server/core/task-question.ts";
import { storedJson, useStoredJson } from "../stored/stored-json.ts";

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

const initial: AttentionSettings = {
  title: true,
  notification: false,
  sound: false,
  push: false,
  urgencies: [...urgencies],
  types: null,
};

const settings = storedJson<AttentionSettings>("toolthread:attention", (stored) => ({
  ...initial,
  ...(typeof stored === "object" ? stored : null),
}));

/** What this browser is set to. */
export function attentionSettings(): AttentionSettings {
  return settings.get();
}

export function changeAttention(change: Partial<AttentionSettings>): void {
  settings.set({ ...attentionSettings(), ...change });
}

/** The settings, also as another tab changes them. */
export function useAttentionSettings(): AttentionSettings {
  return useStoredJson(settings, initial);
}

/** Whether somebody with these settings wants to hear of the question. */
export function isWanted(
  { urgencies, types }: AttentionSettings,
  { urgency }: Pick<QuestionData, "urgency">,
  taskType: string,
): boolean {
  return urgencies.includes(urgency) && (types === null || types.includes(taskType));
}
