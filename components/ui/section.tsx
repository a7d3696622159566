import { type ReactNode, useId } from "react";

/** A part of a page in a card of its own. */
export function Section({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-lg border bg-surface p-4 sm:p-5">
      <h2 id={id} className="font-semibold text-lg">
        {title}
      </h2>
      {note && <p className="mt-0.5 max-w-[72ch] text-ink-2">{note}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}
