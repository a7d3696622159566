"use client";

import { type CSSProperties, type ReactNode, type RefObject, Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.ts";

// Most inboxes hold a handful, which need no library.
const VirtualRows = lazyPart(() => import("./virtual-rows.tsx"));
const manyRows = 60;

export interface InboxRowsProps {
  ids: readonly string[];
  chosen: string | null;
  scroller: RefObject<HTMLElement | null>;
  renderRow: (id: string, at: number, style?: CSSProperties) => ReactNode;
}

/** The rows of the inbox. */
export function InboxRows(props: InboxRowsProps) {
  const { ids, renderRow } = props;
  const plain = (
    <ul aria-label="Open questions">{ids.slice(0, manyRows).map((id, at) => renderRow(id, at))}</ul>
  );
  if (ids.length <= manyRows) return plain;
  return (
    <Suspense fallback={plain}>
      <VirtualRows {...props} />
    </Suspense>
  );
}
