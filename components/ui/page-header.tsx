import type { ReactNode } from "react";

/** The top of a page: what it is, and what can be done with all of it. */
export function PageHeader({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1">
      <h1 className="font-semibold text-xl">{title}</h1>
      {note && <p className="text-ink-2">{note}</p>}
      {children && <div className="ml-auto flex items-center gap-2">{children}</div>}
    </div>
  );
}
