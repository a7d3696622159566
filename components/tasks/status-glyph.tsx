import type { ReactNode } from "react";
import type { TaskStatus } from "@/server/core/task-status.ts";
import { cn } from "../ui/cn.ts";

// Shape as well as colour tells a status, for whoever cannot tell the colours apart.
const shapes: Record<TaskStatus, ReactNode> = {
  pending: <circle cx="8" cy="8" r="6" fill="none" strokeWidth="1.75" strokeDasharray="2.2 2.5" />,
  running: (
    <g fill="none" strokeWidth="2">
      <circle cx="8" cy="8" r="6" opacity="0.28" />
      <path d="M8 2a6 6 0 0 1 6 6" strokeLinecap="round" className="origin-center animate-turn" />
    </g>
  ),
  waiting_for_input: (
    <g stroke="none">
      <path
        d="M8 1.2 14.8 8 8 14.8 1.2 8Z"
        strokeLinejoin="round"
        stroke="currentColor"
        strokeWidth="1.2"
        fill="currentColor"
      />
      <path
        d="M6.4 6.6a1.6 1.6 0 1 1 2.3 1.4c-.5.3-.7.5-.7 1"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="1.4"
        strokeLinecap="round"
      />
      <circle cx="8" cy="10.9" r="0.85" fill="var(--surface)" />
    </g>
  ),
  completed: (
    <g stroke="none">
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path
        d="m5 8.2 2.1 2.1L11 6.2"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </g>
  ),
  failed: (
    <g stroke="none">
      <rect x="1.5" y="1.5" width="13" height="13" rx="3.5" fill="currentColor" />
      <path
        d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="1.75"
        strokeLinecap="round"
      />
    </g>
  ),
  cancelled: (
    <g fill="none" strokeWidth="1.75">
      <circle cx="8" cy="8" r="6" />
      <path d="m4.2 11.8 7.6-7.6" />
    </g>
  ),
};

const colours: Record<TaskStatus, string> = {
  pending: "text-pending-solid",
  running: "text-running-solid",
  waiting_for_input: "text-waiting-solid",
  completed: "text-completed-solid",
  failed: "text-failed-solid",
  cancelled: "text-cancelled-solid",
};

/** A status as a mark. It has no name of its own: the status stands beside it in words. */
export function StatusGlyph({ status, isSmall }: { status: TaskStatus; isSmall?: boolean }) {
  return (
    <svg
      viewBox="0 0 16 16"
      stroke="currentColor"
      aria-hidden="true"
      className={cn("shrink-0", isSmall ? "size-3.5" : "size-4", colours[status])}
    >
      {shapes[status]}
    </svg>
  );
}
