/**
 * Who does something. `operator`: a signed-in human. `agent`: a program. `system`: toolthread
 * itself, for example when a parent's cancel is passed to its children. Identity comes from
 * authentication and never from a payload.
 */
export interface Actor {
  kind: "operator" | "agent" | "system";
  /** Stable identity within the kind; two calls by one person have the same. */
  id: string;
  /** Shown to people. */
  name: string;
  /** Over which surface this call came. */
  surface: Surface;
  /** The remote address of the call; null or left out when it is not known. */
  address?: string | null;
  /** Of an agent: the operator who owns its key; null or left out when nobody does. */
  keyOwnerId?: string | null;
}

export const surfaces = [
  "library",
  "dashboard",
  "trpc",
  "rest",
  "mcp",
  "agent-tools",
  "cli",
  "system",
] as const;
export type Surface = (typeof surfaces)[number];

/** The actor of in-process calls that name none: the program that holds the manager. */
export const libraryActor: Actor = {
  kind: "agent",
  id: "library",
  name: "in-process caller",
  surface: "library",
};

export const systemActor: Actor = {
  kind: "system",
  id: "system",
  name: "toolthread",
  surface: "system",
};

/** True when both are the same identity, whatever surface they came over. */
export function isSameActor(a: Actor | null, b: Actor | null): boolean {
  return a !== null && b !== null && a.kind === b.kind && a.id === b.id;
}
