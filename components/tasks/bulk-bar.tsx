"use client";

import { useEffect, useRef, useState } from "react";
import { readApiError } from "../api/api-error.ts";
import { useMay } from "../api/queries.ts";
import { notify } from "../toasts/notify.ts";
import { Button } from "../ui/button.tsx";
import BulkDialog from "./bulk-dialog.tsx";
import { type BulkAction, findMatching, mostMatching } from "./run-bulk.ts";
import type { TaskFilters } from "./task-filters.ts";
import type { Selection } from "./use-selection.ts";

interface BulkBarProps {
  selection: Selection;
  filters: TaskFilters;
  /** How many are listed so far, and whether there are more. */
  listed: number;
  hasMore: boolean;
}

/** What can be done with the selected tasks; at the lower edge, where it moves nothing. */
export default function BulkBar({ selection, filters, listed, hasMore }: BulkBarProps) {
  const [action, setAction] = useState<BulkAction | null>(null);
  const [isFinding, setFinding] = useState(false);
  const finding = useRef<AbortController | null>(null);
  useEffect(() => () => finding.current?.abort(), []);
  const mayCancel = useMay("tasks:cancel");
  const mayStart = useMay("tasks:start");
  const count = selection.ids.size;
  const selectMatching = async () => {
    const ends = new AbortController();
    finding.current = ends;
    setFinding(true);
    try {
      const { ids, isWhole } = await findMatching(filters, ends.signal);
      if (ends.signal.aborted) return;
      selection.set(ids);
      if (!isWhole) {
        notify({
          title: `The first ${mostMatching.toLocaleString("en")} are selected`,
          detail: "More match. Narrow the filters, or come back for the rest.",
        });
      }
    } catch (error) {
      if (ends.signal.aborted) return;
      notify({
        title: "They could not be found",
        detail: readApiError(error).message,
        tone: "bad",
      });
    } finally {
      setFinding(false);
    }
  };
  return (
    <section
      aria-label="Selected tasks"
      className="sticky bottom-4 z-20 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-x-2 gap-y-1.5 rounded-lg border bg-surface py-2 pr-2 pl-4 shadow-overlay max-md:bottom-18"
    >
      <p role="status" className="tabular mr-2 font-medium">
        {count.toLocaleString("en")} selected
      </p>
      {hasMore && count >= listed && count < mostMatching && (
        <Button
          size="sm"
          variant="quiet"
          disabled={isFinding}
          onClick={() => void selectMatching()}
        >
          {isFinding ? "Looking for all…" : "Select all that match"}
        </Button>
      )}
      {mayStart && (
        <Button size="sm" onClick={() => setAction("rerun")}>
          Run again…
        </Button>
      )}
      {mayCancel && (
        <Button size="sm" onClick={() => setAction("cancel")}>
          Cancel…
        </Button>
      )}
      <Button size="sm" variant="quiet" onClick={() => selection.set([])}>
        Select nothing
      </Button>
      {action && (
        <BulkDialog
          action={action}
          taskIds={[...selection.ids]}
          onClose={(isDone) => {
            setAction(null);
            if (isDone) selection.set([]);
          }}
        />
      )}
    </section>
  );
}
