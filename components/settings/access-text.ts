import { roles, type Subject, type TypeAccess } from "@/server/core/permission.ts";

/** Subjects as people write them: roles and groups by their names. */
export function subjectsText(subjects: readonly Subject[] | undefined): string {
  return (subjects ?? []).map((subject) => subject.replace(/^group:/, "")).join(", ");
}

/** A rule from what was written; an empty field is no rule. */
export function accessFromText(texts: Record<keyof TypeAccess, string>): TypeAccess {
  const access: TypeAccess = {};
  for (const what of ["see", "start", "answer"] as const) {
    const names = texts[what].split(",").map((name) => name.trim());
    const subjects = names.filter((name) => name !== "").map(toSubject);
    if (subjects.length > 0) access[what] = [...new Set(subjects)];
  }
  return access;
}

function toSubject(name: string): Subject {
  const role = roles.find((each) => each === name.toLowerCase());
  return role ?? `group:${name}`;
}
