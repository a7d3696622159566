import { cn } from "../ui/cn.ts";
import { RowMark } from "./row-mark.tsx";
import type { Rail, TimelineRow } from "./timeline-rows.ts";

export const rail = "absolute left-1/2 -ml-px border-l-2";

export const rails: Record<Rail, string> = {
  idle: "border-line-strong/60 border-dotted",
  working: "border-running-solid/55",
  waiting: "border-waiting-solid border-dashed",
  none: "border-transparent",
};

/** A row's part of the thread: what the row before began, the mark, and what goes on from here. */
export function Knot({ row, before }: { row: TimelineRow; before: Rail | null }) {
  return (
    <div className="relative flex justify-center">
      {before !== null && <span className={cn(rail, "top-0 h-3.5", rails[before])} />}
      <span className={cn(rail, "top-3.5 bottom-0", rails[row.rail])} />
      {/* The mark covers the thread behind it, with a little air around. */}
      <span className="relative z-10 mt-3.5 flex h-0 items-center justify-center [&>*]:shadow-[0_0_0_2px_var(--canvas)] [&>svg]:rounded-full [&>svg]:bg-canvas">
        <RowMark row={row} />
      </span>
    </div>
  );
}
