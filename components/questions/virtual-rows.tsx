"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect } from "react";
import { rowHeight } from "./inbox-row.tsx";
import type { InboxRowsProps } from "./inbox-rows.tsx";

/** Rows of a list of any length, of which only those in view exist. */
export default function VirtualRows({ ids, chosen, scroller, renderRow }: InboxRowsProps) {
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (at) => ids[at] ?? at,
    overscan: 10,
  });
  const chosenAt = chosen === null ? -1 : ids.indexOf(chosen);
  useEffect(() => {
    if (chosenAt >= 0) virtualizer.scrollToIndex(chosenAt, { align: "auto" });
  }, [chosenAt, virtualizer]);
  return (
    <ul
      aria-label="Open questions"
      style={{ height: virtualizer.getTotalSize() }}
      className="relative w-full"
    >
      {virtualizer.getVirtualItems().map(({ index, start }) =>
        renderRow(ids[index] ?? "", index, {
          position: "absolute",
          insetInline: 0,
          transform: `translateY(${start}px)`,
        }),
      )}
    </ul>
  );
}
