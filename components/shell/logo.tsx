/** A thread that runs down, makes a loop (someone is asked) and goes on. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={className}>
      <path
        d="M7 2v6.5c0 3.2 2.2 5 5.2 5 2.7 0 4.8-1.6 4.8-4.1S15.3 5.5 13 5.5c-3.6 0-6 3.5-6 8.5v8"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.1"
        strokeLinecap="round"
      />
      <circle cx="17" cy="9.4" r="2.6" fill="var(--waiting-solid)" />
    </svg>
  );
}
