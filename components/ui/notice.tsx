import type { ReactNode } from "react";
import { Button } from "./button.tsx";

/** What stands where content would be: nothing there yet, or it could not be loaded. */
export function EmptyState({
  title,
  children,
  action,
  icon,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-20 text-center">
      {icon && <div className="mb-4 text-ink-3">{icon}</div>}
      <h2 className="font-semibold text-lg">{title}</h2>
      {children && <div className="mt-1 max-w-md text-balance text-ink-2">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}

export function ErrorState({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-20 text-center">
      <h2 className="font-semibold text-lg">This could not be loaded</h2>
      <p className="mt-1 max-w-md text-balance text-ink-2">{message}</p>
      <Button className="mt-4" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** A message about a form or a field, said by screen readers when it appears. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="task-text text-failed text-sm">
      {children}
    </p>
  );
}
