import type { ReactNode } from "react";
import { Button } from "./button.tsx";

/** What stands where content would be: nothing there yet, or it could not be loaded. */
export function EmptyState({
  title,
  children,
  action,
  icon,
  isPage,
}: {
  title: string;
  /** True where it is all there is on the page. */
  isPage?: boolean;
  children?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
}) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div className="flex flex-col items-center px-6 py-20 text-center">
      {icon && <div className="mb-4 text-ink-3">{icon}</div>}
      <Heading className="font-semibold text-lg">{title}</Heading>
      {children && <div className="mt-1 max-w-md text-balance text-ink-2">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}

export function ErrorState({
  message,
  onRetry,
  isPage,
}: {
  message: string;
  onRetry: () => void;
  isPage?: boolean;
}) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-20 text-center">
      <Heading className="font-semibold text-lg">This could not be loaded</Heading>
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
