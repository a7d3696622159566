import { beginningOf } from "../../core/beginning-of.ts";
import type { TaskUpdate } from "../../core/task-update.ts";

/** An update that may stand for others like it. */
export interface DigestedUpdate {
  update: TaskUpdate;
  /** How many updates in a row it stands for, itself included; they differed in numbers only. */
  merged: number;
}

export interface UpdateDigest {
  updates: DigestedUpdate[];
  /** Updates of which the digest says nothing. */
  leftOut: number;
}

/** The part of the space that older warnings and errors may take from newer updates. */
const alarmShare = 0.25;

/**
 * Shortens updates to about so many characters of messages, always in the same way:
 *
 * 1. All of them, when they fit.
 * 2. Otherwise updates in a row that differ in numbers only become the last one of them.
 * 3. Of the rest the newest stay whole, and older warnings and errors as far as a quarter of the
 *    space holds them. A newest one that is longer than all the space is cut.
 */
export function digestUpdates(updates: readonly TaskUpdate[], maxChars: number): UpdateDigest {
  const whole = updates.map((update) => ({ update, merged: 1 }));
  if (lengthOf(whole) <= maxChars) return { updates: whole, leftOut: 0 };
  const merged = mergeRuns(updates);
  if (lengthOf(merged) <= maxChars) return { updates: merged, leftOut: 0 };
  const newest = merged.at(-1) as DigestedUpdate;
  const kept = new Set<DigestedUpdate>([newest]);
  let left = maxChars - newest.update.message.length;
  const keep = (entry: DigestedUpdate, budget: number) => {
    const { length } = entry.update.message;
    if (length > Math.min(budget, left)) return false;
    kept.add(entry);
    left -= length;
    return true;
  };
  let alarmBudget = maxChars * alarmShare;
  for (const entry of merged.filter(isAlarm).reverse()) {
    if (kept.has(entry)) continue;
    if (keep(entry, alarmBudget)) alarmBudget -= entry.update.message.length;
  }
  // Down to the first that does not fit: what is told of the newest has no gap in it.
  for (const entry of merged.toReversed()) {
    if (!kept.has(entry) && !keep(entry, left)) break;
  }
  const told = merged.filter((entry) => kept.has(entry));
  const leftOut = updates.length - told.reduce((sum, entry) => sum + entry.merged, 0);
  return { updates: told.map((entry) => cut(entry, maxChars)), leftOut };
}

function lengthOf(entries: readonly DigestedUpdate[]): number {
  return entries.reduce((sum, { update }) => sum + update.message.length, 0);
}

function isAlarm({ update }: DigestedUpdate): boolean {
  return update.level === "warning" || update.level === "error";
}

function mergeRuns(updates: readonly TaskUpdate[]): DigestedUpdate[] {
  const merged: DigestedUpdate[] = [];
  let lastShape: string | null = null;
  for (const update of updates) {
    const shape = `${update.level} ${update.message.replace(/\d+(?:[.,]\d+)*/g, "#")}`;
    const before = shape === lastShape ? merged.pop() : undefined;
    merged.push({ update, merged: (before?.merged ?? 0) + 1 });
    lastShape = shape;
  }
  return merged;
}

function cut(entry: DigestedUpdate, maxChars: number): DigestedUpdate {
  const { message } = entry.update;
  if (message.length <= maxChars) return entry;
  const kept = beginningOf(message, maxChars);
  const text = `${kept}… (${message.length - kept.length} more characters)`;
  return { ...entry, update: { ...entry.update, message: text } };
}
