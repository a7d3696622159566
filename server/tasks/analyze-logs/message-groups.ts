import { createHash } from "node:crypto";
import { detachText, exactCopy } from "./detach-text.ts";
import { type LogLevel, logLevels } from "./log-level.ts";

/** Messages that differ only in numbers, names and the like. */
export interface MessageGroup {
  /** The same for the same level and template, in every file and every run. */
  id: string;
  level: LogLevel;
  template: string;
  count: number;
  /** Milliseconds since 1970 UTC, of the lines that have a time. */
  firstAt: number | null;
  lastAt: number | null;
  /** One of its lines, with those that belong to it. */
  example: { lineNumber: number; text: string };
}

export interface Occurrence {
  level: LogLevel;
  template: string;
  at: number | null;
  lineNumber: number;
  /** The line with those that belong to it; called only for a new group. */
  exampleText(): string;
}

const maxTemplateLength = 300;
const maxExampleLength = 1200;

/**
 * Counts messages by level and template in bounded memory. When a level has more than
 * `maxPerLevel` groups, the rarest half gives way, so a message that floods late is still found; a
 * group that was dropped and came back has counted only what came after.
 */
export class MessageGroups {
  readonly #maxPerLevel: number;
  readonly #byLevel = new Map<LogLevel, Map<string, MessageGroup>>(
    logLevels.map((level) => [level, new Map()]),
  );
  #droppedMessages = 0;

  constructor(maxPerLevel = 2000) {
    this.#maxPerLevel = maxPerLevel;
  }

  /** Messages counted in groups that gave way. */
  get droppedMessages(): number {
    return this.#droppedMessages;
  }

  get size(): number {
    return [...this.#byLevel.values()].reduce((sum, groups) => sum + groups.size, 0);
  }

  add(occurrence: Occurrence): void {
    const { level, at } = occurrence;
    const groups = this.#byLevel.get(level) as Map<string, MessageGroup>;
    const template = occurrence.template.slice(0, maxTemplateLength);
    const group = groups.get(template);
    if (!group) {
      if (groups.size >= this.#maxPerLevel) this.#dropRarest(groups);
      groups.set(exactCopy(template), newGroup(occurrence));
      return;
    }
    group.count++;
    widen(group, at, at);
  }

  /** The `limit` most frequent groups of one level, most frequent first. */
  top(level: LogLevel, limit: number): MessageGroup[] {
    const groups = [...(this.#byLevel.get(level)?.values() ?? [])];
    return groups.sort(byCount).slice(0, limit);
  }

  #dropRarest(groups: Map<string, MessageGroup>): void {
    const rarest = [...groups].sort(([, a], [, b]) => a.count - b.count);
    for (const [template, { count }] of rarest.slice(0, Math.ceil(groups.size / 2))) {
      groups.delete(template);
      this.#droppedMessages += count;
    }
  }
}

function newGroup({ level, template, at, lineNumber, exampleText }: Occurrence): MessageGroup {
  const text = detachText(template, maxTemplateLength);
  return {
    id: groupId(level, text),
    level,
    template: text,
    count: 1,
    firstAt: at,
    lastAt: at,
    example: { lineNumber, text: detachText(exampleText(), maxExampleLength) },
  };
}

function groupId(level: LogLevel, template: string): string {
  return `g_${createHash("sha256").update(`${level}\n${template}`).digest("hex").slice(0, 10)}`;
}

/** Makes the group's span include `from` to `to`. */
export function widen(
  group: { firstAt: number | null; lastAt: number | null },
  from: number | null,
  to: number | null,
): void {
  if (from !== null && (group.firstAt === null || from < group.firstAt)) group.firstAt = from;
  if (to !== null && (group.lastAt === null || to > group.lastAt)) group.lastAt = to;
}

/** Most frequent first; equal counts by their template, so that every run agrees. */
export function byCount(a: MessageGroup, b: MessageGroup): number {
  return b.count - a.count || (a.template < b.template ? -1 : 1);
}
