import type { TaskStatus } from "@/server/core/task-status.ts";
import { shortId } from "../tasks/short-id.ts";
import { StatusGlyph } from "../tasks/status-glyph.tsx";
import { statusTable } from "../tasks/status-table.ts";
import { IntentLink } from "../ui/intent-link.tsx";

/** A link to another task, by the beginning of its id, with its status when that is known. */
export function TaskLink({ taskId, status }: { taskId: string; status?: TaskStatus }) {
  return (
    <IntentLink
      href={`/tasks/${taskId}`}
      title={taskId}
      className="inline-flex items-center gap-1 rounded-sm font-mono text-link hover:underline"
    >
      {status !== undefined && (
        <>
          <StatusGlyph status={status} isSmall />
          <span className="sr-only">{statusTable[status].label}: </span>
        </>
      )}
      {shortId(taskId)}
    </IntentLink>
  );
}
