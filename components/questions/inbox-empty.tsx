import { CircleCheck } from "lucide-react";
import { buttonClass } from "../ui/button.tsx";
import { IntentLink } from "../ui/intent-link.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** What stands in the inbox when nothing is open. */
export function NothingOpen() {
  return (
    <EmptyState
      title="Nobody waits for you"
      icon={<CircleCheck className="size-8" strokeWidth={1.5} aria-hidden="true" />}
      action={
        <div className="flex gap-2">
          <IntentLink href="/tasks" className={buttonClass()}>
            See the tasks
          </IntentLink>
          <IntentLink href="/start" className={buttonClass()}>
            Start a task
          </IntentLink>
        </div>
      }
    >
      When a task has a question, it appears here at once, and the tab’s title shows how many wait.
    </EmptyState>
  );
}

/** What stands where the list will be. */
export function LoadingRows() {
  return (
    <div role="status" aria-label="Loading the questions">
      {[0, 1, 2].map((key) => (
        <div key={key} className="flex h-15 flex-col justify-center gap-2 border-b px-4">
          <Skeleton className="h-4 w-3/4" />
          <Skeleton className="h-3 w-40" />
        </div>
      ))}
    </div>
  );
}
