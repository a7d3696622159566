import type { Permission } from "@/server/core/permission.ts";

interface PalettePage {
  path: string;
  label: string;
  keys?: string;
}

const pages: (PalettePage & { needs?: Permission; signIn?: boolean })[] = [
  { path: "/", label: "Inbox", keys: "g i" },
  { path: "/tasks", label: "Tasks", keys: "g t" },
  { path: "/overview", label: "Overview", keys: "g o" },
  { path: "/start", label: "Start a task", keys: "g s", needs: "tasks:start" },
  { path: "/audit", label: "Audit log", needs: "audit:read" },
  { path: "/keys", label: "Agent keys", needs: "keys:manage", signIn: true },
  { path: "/people", label: "People", needs: "people:manage", signIn: true },
  { path: "/settings", label: "Settings of task types", needs: "settings:manage", signIn: true },
  { path: "/docs/api", label: "API reference" },
  { path: "/account", label: "Your account", signIn: true },
];

/** The pages that this caller may open; before it is known who calls, those that everybody may. */
export function palettePages(
  me: { signIn: boolean; permissions: readonly Permission[] } | undefined,
): PalettePage[] {
  return pages.filter(
    ({ needs, signIn = false }) =>
      (!signIn || me?.signIn === true) &&
      (needs === undefined || me?.permissions.includes(needs) === true),
  );
}
