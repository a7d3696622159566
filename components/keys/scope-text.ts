import type { KeyScopes } from "@/server/core/permission.ts";

/** What a key may do, in a line. */
export function scopeText({ start, read, answer, drive, metrics }: KeyScopes): string {
  const parts = [
    start === "all"
      ? "starts every type"
      : start.length > 0
        ? `starts ${start.join(", ")}`
        : "starts nothing",
    read === "all" ? "sees all tasks" : "sees its own tasks",
    answer && "answers questions",
    drive && "drives tasks",
    metrics && "reads metrics",
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The end of a day in so many days, as the API takes it; null for 0, which is never. */
export function expiryInDays(days: number, now: Date): string | null {
  if (days === 0) return null;
  return new Date(now.getTime() + days * 86_400_000).toISOString();
}
