import type { Page } from "../core/durable-task-store.ts";
import { InvalidInput } from "../core/errors.ts";

/** A keyset position: the sort key of the last item and its id as tie-break. */
export type PageKey = readonly [sortKey: string, id: string];

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
    .filter(({ key }) => from === null || compare(key, from) * direction > 0)
    .sort((a, b) => compare(a.key, b.key) * direction)
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
export function decodePageKey(cursor: string): PageKey {
  const cut = cursor.indexOf("~");
  if (cut < 0) {
    throw new InvalidInput(
      `"${cursor.slice(0, 80)}" is not a page cursor; pass nextCursor of the page before.`,
    );
  }
  return [cursor.slice(0, cut), cursor.slice(cut + 1)];
}

function compare(a: PageKey, b: PageKey): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] === b[1] ? 0 : a[1] < b[1] ? -1 : 1;
}
