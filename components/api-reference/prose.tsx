/** A text of the description, in which what is between backticks is code. */
export function Prose({ text, className }: { text: string; className?: string }) {
  return (
    <p className={className}>
      {text.split("`").map((part, i) =>
        i % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text that never changes
          <code key={i} className="rounded-sm bg-sunken px-1 font-mono text-sm">
            {part}
          </code>
        ) : (
          part
        ),
      )}
    </p>
  );
}
