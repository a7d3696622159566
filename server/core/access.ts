import {
  isRoleAtLeast,
  type KeyScopes,
  type Permission,
  permissions,
  type Role,
  roleFor,
  roleMay,
  roles,
  type Subject,
  type TypeAccess,
} from "./permission.ts";
import type { TaskRecord } from "./task.ts";

/** A person, as rules look at them. */
export interface Member {
  role: Role;
  groups: readonly string[];
}

/** Whose rights are asked for. */
export type Grantee =
  | ({ kind: "person" } & Member)
  /** `owner` is who made the key, whose own rights bound it; null when the server's settings did. */
  | { kind: "key"; keyId: string; scopes: KeyScopes; owner: Member | null };

/** Narrows a query to what a caller may see. */
export interface TaskScope {
  createdById?: string;
  exceptTypes?: readonly string[];
}

type Seen = Pick<TaskRecord, "type" | "createdBy">;

/** The rule of each task type that has one. */
export type TypeRules = ReadonlyMap<string, TypeAccess>;

/** What one caller may do: pure, so that every surface and every list decides alike. */
export class Access {
  readonly #grantee: Grantee;
  readonly #rules: () => TypeRules;

  /** @param rules the rules as they are now; asked each time, so that a change counts at once. */
  constructor(grantee: Grantee, rules: () => TypeRules = () => new Map()) {
    this.#grantee = grantee;
    this.#rules = rules;
  }

  /** Whether it may do this at all; for which tasks is a second question. */
  may(permission: Permission): boolean {
    const grantee = this.#grantee;
    if (grantee.kind === "person") return roleMay(grantee.role, permission);
    const { scopes, owner } = grantee;
    return (owner === null || roleMay(owner.role, permission)) && scopeHas(scopes, permission);
  }

  /** What is lacking where {@link may} says no, to be told to the caller. */
  lackOf(permission: Permission): string {
    const grantee = this.#grantee;
    const role = roleFor(permission);
    if (grantee.kind === "person") return `it takes the role ${role}`;
    const scope = scopeFor[permission];
    if (scope === undefined) return "it is for people only";
    if (!scopeHas(grantee.scopes, permission)) return `it lacks the scope \`${scope}\``;
    return `its owner would need the role ${role}`;
  }

  permissions(): Permission[] {
    return permissions.filter((permission) => this.may(permission));
  }

  maySee(task: Seen): boolean {
    return this.#isInReach(task) && this.maySeeType(task.type);
  }

  maySeeType(type: string): boolean {
    return this.may("tasks:read") && this.#admits(type, "see");
  }

  mayStart(type: string): boolean {
    const grantee = this.#grantee;
    const inScope =
      grantee.kind === "person" ||
      grantee.scopes.start === "all" ||
      grantee.scopes.start.includes(type);
    return (
      inScope && this.may("tasks:start") && this.#admits(type, "see") && this.#admits(type, "start")
    );
  }

  mayAnswer(task: Seen): boolean {
    return this.may("questions:answer") && this.maySee(task) && this.#admits(task.type, "answer");
  }

  mayDrive(type: string): boolean {
    return this.may("tasks:drive") && this.#admits(type, "see") && this.#admits(type, "start");
  }

  /** Whoever may start tasks of a type may cancel those of them that they see. */
  mayCancel(task: Seen): boolean {
    return this.may("tasks:cancel") && this.maySee(task) && this.mayStart(task.type);
  }

  /** Null when it sees all there is. */
  get scope(): TaskScope | null {
    const grantee = this.#grantee;
    const exceptTypes = [...this.#rules().keys()].filter((type) => !this.#admits(type, "see"));
    const ownOnly = grantee.kind === "key" && grantee.scopes.read === "own";
    if (!ownOnly && exceptTypes.length === 0) return null;
    return {
      ...(ownOnly ? { createdById: grantee.keyId } : {}),
      ...(exceptTypes.length > 0 ? { exceptTypes } : {}),
    };
  }

  /** The types with a rule by which it may not answer their questions. */
  get typesNotAnswered(): string[] {
    return [...this.#rules().keys()].filter((type) => !this.#admits(type, "answer"));
  }

  #isInReach(task: Seen): boolean {
    const grantee = this.#grantee;
    if (grantee.kind === "person" || grantee.scopes.read === "all") return true;
    return isOwn(task, grantee.keyId);
  }

  #admits(type: string, what: keyof TypeAccess): boolean {
    const grantee = this.#grantee;
    const member = grantee.kind === "person" ? grantee : grantee.owner;
    if (member === null || member.role === "admin") return true;
    const subjects = this.#rules().get(type)?.[what];
    return subjects === undefined || subjects.some((subject) => isAmong(member, subject));
  }
}

function isOwn({ createdBy }: Seen, keyId: string): boolean {
  return createdBy.kind === "agent" && createdBy.id === keyId;
}

function isAmong({ role, groups }: Member, subject: Subject): boolean {
  if (subject.startsWith("group:")) return groups.includes(subject.slice("group:".length));
  return (roles as readonly string[]).includes(subject) && isRoleAtLeast(role, subject as Role);
}

const scopeFor: Readonly<Partial<Record<Permission, keyof KeyScopes>>> = {
  "tasks:read": "read",
  "tasks:start": "start",
  "tasks:cancel": "start",
  "questions:answer": "answer",
  "tasks:drive": "drive",
  "metrics:read": "metrics",
};

function scopeHas(scopes: KeyScopes, permission: Permission): boolean {
  switch (permission) {
    case "tasks:read":
      return true;
    case "tasks:start":
    case "tasks:cancel":
      return scopes.start === "all" || scopes.start.length > 0;
    case "questions:answer":
      return scopes.answer;
    case "tasks:drive":
      return scopes.drive;
    case "metrics:read":
      return scopes.metrics;
    default:
      return false;
  }
}
