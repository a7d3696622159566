import { Ban, Check, CircleX, Clock, TriangleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { StatusGlyph } from "../tasks/status-glyph.tsx";
import { cn } from "../ui/cn.ts";
import type { TimelineRow } from "./timeline-rows.ts";

/** A row's knot on the thread. Decoration: the row's words say the same. */
export function RowMark({ row }: { row: TimelineRow }): ReactNode {
  switch (row.kind) {
    case "created":
      return <Ring />;
    case "attempt_started":
      return <Dot className="size-2 bg-ink-3" />;
    case "attempt_ended":
      return <Ring />;
    case "update":
      if (row.level === "warning")
        return <Icon of={TriangleAlert} className="text-waiting-solid" />;
      if (row.level === "error") return <Icon of={CircleX} className="text-failed-solid" />;
      return (
        <Dot className={cn("size-1.5", row.level === "debug" ? "bg-line-strong" : "bg-ink-2")} />
      );
    case "step":
      return row.error === null ? (
        <Icon of={Check} className="text-ink-2" />
      ) : (
        <Icon of={X} className="text-failed-solid" />
      );
    case "asked":
      return <StatusGlyph status="waiting_for_input" />;
    case "approved":
      return <Icon of={Check} className="text-ink-2" />;
    case "resolved": {
      const looks = {
        answered: { of: Check, className: "text-completed-solid" },
        declined: { of: Ban, className: "text-waiting-solid" },
        timed_out: { of: Clock, className: "text-failed-solid" },
        cancelled: { of: X, className: "text-cancelled-solid" },
      };
      return <Icon {...looks[row.outcome]} />;
    }
    case "seen":
    case "claimed":
    case "released":
      return <Dot className="size-1.5 bg-line-strong" />;
    case "cancel_requested":
      return <Icon of={Ban} className="text-cancelled-solid" />;
    case "ended":
      return <StatusGlyph status={row.status} />;
    case "now":
      return row.activity === "running" ? (
        <StatusGlyph status="running" />
      ) : row.activity === "waiting" || row.activity === "parked" ? (
        <Icon of={Clock} className="text-waiting-solid" />
      ) : (
        <StatusGlyph status="pending" />
      );
  }
}

function Dot({ className }: { className: string }) {
  return <span className={cn("rounded-full", className)} />;
}

function Ring() {
  return <span className="size-2.5 rounded-full border-2 border-ink-3" />;
}

function Icon({ of: Of, className }: { of: typeof Check; className: string }) {
  return <Of className={cn("size-3.5", className)} strokeWidth={2.25} aria-hidden="true" />;
}
