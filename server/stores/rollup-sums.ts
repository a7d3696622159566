import { addCounts, addTimes, type RollupQuery, type Rollups } from "../core/overview.ts";
import {
  type AnswerTimes,
  answerClass,
  firstKeptSlot,
  type RollupCounts,
  type RollupEntry,
  type RollupWidth,
  rollupWidths,
  slotOf,
} from "../core/rollup.ts";

/** What one slot has of one type. */
export interface RollupCell {
  width: RollupWidth;
  slot: number;
  type: string;
  counts: RollupCounts;
  times: AnswerTimes;
}

/** Adds up entries by slot and type, in all widths. */
export class RollupSums {
  readonly #cells = new Map<string, RollupCell>();
  #pruneMinute: number | null = null;

  get cells(): RollupCell[] {
    return [...this.#cells.values()];
  }

  add(entry: RollupEntry): void {
    const minute = slotOf(entry.at, 60);
    if (minute % 60 === 0) this.#pruneMinute = minute;
    for (const width of rollupWidths) {
      const slot = Math.floor((minute * 60) / width);
      const key = `${width} ${slot} ${entry.type}`;
      const cell = this.#cells.get(key);
      const times: AnswerTimes =
        entry.answerSeconds === null ? new Map() : new Map([[answerClass(entry.answerSeconds), 1]]);
      this.#cells.set(key, {
        width,
        slot,
        type: entry.type,
        counts: addCounts(cell ? [cell.counts, entry.counts] : [entry.counts]),
        times: cell ? addTimes([cell.times, times]) : times,
      });
    }
  }

  /** The first minute of an hour, when an entry was in one: then old slots go; null otherwise. */
  get pruneMinute(): number | null {
    return this.#pruneMinute;
  }

  /** Forgets slots that are older than their width is kept for. */
  prune(): void {
    if (this.#pruneMinute === null) return;
    for (const [key, { width, slot }] of this.#cells) {
      const first = firstKeptSlot(width, this.#pruneMinute);
      if (first !== null && slot < first) this.#cells.delete(key);
    }
    this.#pruneMinute = null;
  }

  read({ width, first, last, exceptTypes = [] }: RollupQuery): Rollups {
    const within = this.cells.filter(
      (cell) =>
        cell.width === width &&
        cell.slot >= first &&
        cell.slot <= last &&
        !exceptTypes.includes(cell.type),
    );
    const bySlot = grouped(within, ({ slot }) => slot);
    const byType = grouped(within, ({ type }) => type);
    return {
      bySlot: summed(bySlot, (cells) => addCounts(cells.map(({ counts }) => counts))),
      byType: summed(byType, (cells) => addCounts(cells.map(({ counts }) => counts))),
      answersBySlot: summed(bySlot, (cells) => addTimes(cells.map(({ times }) => times))),
      answersByType: summed(byType, (cells) => addTimes(cells.map(({ times }) => times))),
    };
  }
}

function grouped<K>(cells: RollupCell[], keyOf: (cell: RollupCell) => K): Map<K, RollupCell[]> {
  const groups = new Map<K, RollupCell[]>();
  for (const cell of cells) {
    const key = keyOf(cell);
    const group = groups.get(key);
    if (group) group.push(cell);
    else groups.set(key, [cell]);
  }
  return groups;
}

function summed<K, T>(groups: Map<K, RollupCell[]>, sum: (cells: RollupCell[]) => T): Map<K, T> {
  return new Map([...groups].map(([key, cells]) => [key, sum(cells)]));
}
