import { z } from "zod";
import { beginningOf } from "./beginning-of.ts";

/** What is wrong with one part of a value. */
export interface Issue {
  /** Where, for example `files[0].name`; empty for the value as a whole. */
  path: string;
  message: string;
}

// A value of a megabyte can be wrong in half a million places, and one place in a great many words.
// Whoever mends the first of them learns nothing from the others.
const maxIssues = 20;
const maxLength = 500;

/**
 * The first issues of a zod error, for programs and as one line for people, which says how many
 * more there are. It does not depend on which copy of zod made them.
 */
export function describeIssues(
  all: readonly { path?: readonly PropertyKey[] | undefined; message?: string | undefined }[],
): { issues: Issue[]; text: string } {
  const issues = all.slice(0, maxIssues).map(({ path = [], message = "is not valid" }) => ({
    path: shortened(z.core.toDotPath(path)),
    message: shortened(message),
  }));
  const parts = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
  if (all.length > maxIssues) parts.push(`and ${all.length - maxIssues} more`);
  return { issues, text: parts.join("; ") };
}

/** The beginning of a text that somebody else chose the length of. */
export function shortened(text: string): string {
  return text.length > maxLength ? `${beginningOf(text, maxLength)}…` : text;
}
