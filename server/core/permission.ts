/** What a caller may be allowed to do. Every procedure names one of these. */
export const permissions = [
  "tasks:read",
  "tasks:start",
  "tasks:cancel",
  "questions:answer",
  "questions:claim",
  "tasks:drive",
  "keys:manage",
  "people:manage",
  "settings:manage",
  "audit:read",
  "metrics:read",
] as const;
export type Permission = (typeof permissions)[number];

/** What a person may do, from the least to the most. Each includes the ones before it. */
export const roles = ["viewer", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

const leastRole: Readonly<Record<Permission, Role>> = {
  "tasks:read": "viewer",
  "tasks:start": "operator",
  "tasks:cancel": "operator",
  "questions:answer": "operator",
  "questions:claim": "operator",
  "tasks:drive": "operator",
  "metrics:read": "admin",
  "keys:manage": "admin",
  "people:manage": "admin",
  "settings:manage": "admin",
  "audit:read": "admin",
};

/** The least role that has a permission. */
export function roleFor(permission: Permission): Role {
  return leastRole[permission];
}

export function isRoleAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

export function roleMay(role: Role, permission: Permission): boolean {
  return isRoleAtLeast(role, leastRole[permission]);
}

/** A role (and those above it), or the members of a group, as `group:NAME`. */
export type Subject = Role | `group:${string}`;

/**
 * Who may see, start and answer tasks of one type. It narrows what roles allow and never widens
 * it: whoever may start must be an operator in any case. Left out means everybody whose role
 * allows it; admins are never shut out.
 */
export interface TypeAccess {
  see?: readonly Subject[];
  start?: readonly Subject[];
  answer?: readonly Subject[];
}

/** What an agent's key may do. */
export interface KeyScopes {
  /** The task types it may start; `all` of them, or none with an empty list. */
  start: "all" | readonly string[];
  /** Which tasks it sees: those it started, or all. */
  read: "own" | "all";
  /** Answers questions of tasks it sees, but never those for operators only. */
  answer: boolean;
  /** Drives tasks from outside. */
  drive: boolean;
  metrics: boolean;
}

/** The most a key can have. */
export const allScopes: KeyScopes = {
  start: "all",
  read: "all",
  answer: true,
  drive: true,
  metrics: true,
};
