import { ownPath } from "@/server/core/own-path.ts";

/** Where to go after signing in: a path of this server, whatever the address says. */
export function pathAfterSignIn(next: string | null): string {
  return (next === null ? null : ownPath(next)) ?? "/";
}
