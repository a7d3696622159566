import type { ReactNode } from "react";

const mostMarks = 100;

/** A text in which what is looked for stands out. */
export function MarkedText({ text, wanted }: { text: string; wanted: string }): ReactNode {
  if (wanted === "") return text;
  const lower = text.toLowerCase();
  // Lower case may have another length; the places would be wrong then.
  if (lower.length !== text.length) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (let n = 0; n < mostMarks; n += 1) {
    const at = lower.indexOf(wanted.toLowerCase(), from);
    if (at < 0) break;
    const end = at + wanted.length;
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-xs bg-ink text-on-ink">
        {text.slice(at, end)}
      </mark>,
    );
    from = end;
  }
  return from === 0 ? text : [...parts, text.slice(from)];
}
