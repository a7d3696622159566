import type { Page } from "../core/durable-task-store.ts";
import { InvalidInput } from "../core/errors.ts";

/** A keyset position: the sort key of the last item and its id as tie-break. */
export type PageKey = readonly [sortKey: string | number, id: string];

/** One page of an in-memory list; the cursor is the key of its last item. */
export function pageBy<Item>(
  items: Item[],
  keyOf: (item: Item) => PageKey,
  { limit, after, descending }: { limit: number; after?: string | null; descending: boolean },
): Page<Item> {
  const direction = descending ? -1 : 1;
  const from = after ? decodePageKey(after) : null;
  const sorted = items
    .map((item) => ({ item, key: keyOf(item) }))
    .filter(({ key }) => from === null || comparePageKeys(key, from) * direction > 0)
    .sort((a, b) => comparePageKeys(a.key, b.key) * direction)
    .slice(0, limit + 1);
  const page = sorted.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ item }) => item),
    nextCursor: sorted.length > limit && last ? encodePageKey(last.key) : null,
  };
}

export function encodePageKey([sortKey, id]: PageKey): string {
  return `${sortKey}~${id}`;
}

/** @throws InvalidInput for text that {@link encodePageKey} did not make. */
export function decodePageKey(cursor: string): readonly [sortKey: string, id: string] {
  const cut = cursor.indexOf("~");
  if (cut < 0) throw noCursor(cursor);
  return [cursor.slice(0, cut), cursor.slice(cut + 1)];
}

export function noCursor(cursor: string): InvalidInput {
  return new InvalidInput(
    `"${cursor.slice(0, 80)}" is not a page cursor; pass nextCursor of the page before.`,
  );
}

/** By the sort key, as numbers where one of them is a number, and then by the id. */
export function comparePageKeys([keyA, idA]: PageKey, [keyB, idB]: PageKey): number {
  if (typeof keyA === "number" || typeof keyB === "number") {
    const difference = Number(keyA) - Number(keyB);
    if (difference !== 0) return difference;
  } else if (keyA !== keyB) {
    return keyA < keyB ? -1 : 1;
  }
  return idA === idB ? 0 : idA < idB ? -1 : 1;
}
