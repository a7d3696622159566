import type { Access } from "../core/access.ts";
import type { Actor, Surface } from "../core/actor.ts";
import type { Role } from "../core/permission.ts";
import type { CallHolder } from "./open-calls.ts";

/** Who calls, as authentication found it, and what it may do. */
export interface Caller extends CallHolder {
  actor: Actor;
  access: Access;
  /** Of a person; null for a program. */
  role: Role | null;
  groups: readonly string[];
  email: string | null;
}

/** A program that calls: it is nobody's session, and nothing ends its right by itself. */
export function programCaller(actor: Actor, access: Access): Caller {
  return {
    actor,
    access,
    role: null,
    groups: [],
    email: null,
    handles: [],
    identifiedAt: 0,
    expiresAt: null,
  };
}

/** Where a call comes from. */
export interface CallOrigin {
  /** The remote address; null when it is not known. */
  address: string | null;
  /** By which the log tells its request; left out where requests have none. */
  requestId?: string;
}

/** An attempt that may fail: by whom, if somebody is identified, and where it comes from. */
export type AttemptOrigin = Required<Pick<IdentityEvent, "actor" | "surface" | "address">>;

/** What happened to identities: for the log, and for whoever keeps a record. */
export interface IdentityEvent {
  kind:
    | "signed_in"
    | "sign_in_failed"
    | "signed_out"
    | "sessions_ended"
    | "password_changed"
    | "set_up"
    | "invite_made"
    | "invite_withdrawn"
    | "invite_accepted"
    | "person_changed"
    | "person_entered"
    | "admin_ensured"
    | "sign_on_connected"
    | "sign_on_disconnected"
    | "passkey_added"
    | "passkey_renamed"
    | "passkey_removed"
    | "key_made"
    | "key_revoked"
    | "key_refused"
    | "attempts_blocked"
    | "type_rule_changed";
  /** Who did it; null when nobody was identified. */
  actor: Actor | null;
  /** Over which surface nobody was identified; an actor has their own. */
  surface?: Surface;
  address: string | null;
  /** What it was done to, in plain data; never a secret. */
  details: Record<string, unknown>;
}

export type NoteIdentityEvent = (event: IdentityEvent) => void;
