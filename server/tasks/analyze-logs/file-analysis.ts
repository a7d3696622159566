import type { FormatName } from "./log-format.ts";
import type { LevelCounts } from "./log-level.ts";
import type { MessageGroup } from "./message-groups.ts";
import type { Rates } from "./rate-series.ts";

/** What was found in one file: plain JSON of modest size, however large the file. */
export interface FileAnalysis {
  /** As the caller named it. */
  file: string;
  /** Bytes on disk. */
  bytes: number;
  isCompressed: boolean;
  lines: number;
  /** Lines that begin an event; the others belong to one, are blank or are not understood. */
  events: number;
  /** The format of most events; null when no line fits any. */
  format: FormatName | null;
  /** How many events each format read. */
  formats: { name: FormatName; lines: number }[];
  /** Lines that fit no format. They are events too, their level guessed from their words. */
  unrecognizedLines: number;
  /** Lines too long to be kept whole. */
  cutLines: number;
  countsByLevel: LevelCounts;
  /** Milliseconds since 1970 UTC. */
  firstAt: number | null;
  lastAt: number | null;
  rates: Rates;
  /** The most frequent groups of each level. */
  groups: MessageGroup[];
  /** Distinct groups, also those not listed. */
  groupCount: number;
  /** Events whose groups gave way to more frequent ones. */
  ungroupedEvents: number;
  /** Why reading ended early; null when the file was read to its end. */
  problem: string | null;
}
