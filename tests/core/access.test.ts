import { describe, expect, test } from "vitest";
import { Access, type Grantee } from "../../server/core/access.ts";
import {
  allScopes,
  type KeyScopes,
  type Role,
  roles,
  type TypeAccess,
} from "../../server/core/permission.ts";

const taskOf = (type: string, id = "somebody", kind: "agent" | "operator" = "agent") => ({
  type,
  createdBy: { kind, id, name: id, surface: "rest" as const },
});

const person = (role: Role, groups: string[] = []): Grantee => ({ kind: "person", role, groups });
const key = (scopes: Partial<KeyScopes>, owner: { role: Role; groups: string[] } | null = null) =>
  ({ kind: "key", keyId: "k1", scopes: { ...allScopes, ...scopes }, owner }) satisfies Grantee;

const rules = (entries: Record<string, TypeAccess>) => () => new Map(Object.entries(entries));

describe("a rule narrows what roles allow", () => {
  const given = rules({
    pay: { see: ["group:finance"], start: ["group:finance"], answer: ["admin"] },
  });

  test.each<[Role, string[], boolean, boolean, boolean]>([
    ["viewer", [], false, false, false],
    ["viewer", ["finance"], true, false, false],
    ["operator", [], false, false, false],
    ["operator", ["finance"], true, true, false],
    ["operator", ["Finance"], false, false, false],
    ["admin", [], true, true, true],
  ])("%s in %j: sees %s, starts %s, answers %s", (role, groups, sees, starts, answers) => {
    const access = new Access(person(role, groups), given);
    const task = taskOf("pay");
    expect([access.maySee(task), access.mayStart("pay"), access.mayAnswer(task)]).toEqual([
      sees,
      starts,
      answers,
    ]);
    expect(access.mayCancel(task)).toBe(starts);
    expect(access.scope).toEqual(sees ? null : { exceptTypes: ["pay"] });
  });

  test("who may not see may neither start nor answer, even when a rule for that names them", () => {
    const access = new Access(
      person("operator"),
      rules({ pay: { see: ["admin"], start: ["operator"], answer: ["operator"] } }),
    );
    expect([access.mayStart("pay"), access.mayAnswer(taskOf("pay"))]).toEqual([false, false]);
  });

  test("an empty list lets in admins alone, and an unknown word nobody", () => {
    for (const see of [[], ["everybody" as never]]) {
      for (const role of roles) {
        const access = new Access(person(role), rules({ pay: { see } }));
        expect(access.maySee(taskOf("pay"))).toBe(role === "admin");
      }
    }
  });

  test("a change of the rules counts at the next question", () => {
    let current = new Map<string, TypeAccess>();
    const access = new Access(person("viewer"), () => current);
    expect(access.maySee(taskOf("pay"))).toBe(true);
    current = new Map([["pay", { see: ["admin"] }]]);
    expect(access.maySee(taskOf("pay"))).toBe(false);
  });
});

describe("a key", () => {
  test("sees what it started, told by kind and id together", () => {
    const access = new Access(key({ read: "own" }));
    expect(access.maySee(taskOf("x", "k1"))).toBe(true);
    expect(access.maySee(taskOf("x", "k2"))).toBe(false);
    expect(access.maySee(taskOf("x", "k1", "operator"))).toBe(false);
    expect(access.scope).toEqual({ createdById: "k1" });
  });

  test("cancels what it sees of the types it may start", () => {
    const access = new Access(key({ read: "all", start: ["a"] }));
    expect([access.mayCancel(taskOf("a")), access.mayCancel(taskOf("b"))]).toEqual([true, false]);
  });

  test("may no more than its owner may now", () => {
    const viewer = new Access(key({}, { role: "viewer", groups: [] }));
    expect(viewer.permissions()).toEqual(["tasks:read"]);
    const given = rules({ pay: { see: ["group:finance"] } });
    const insider = new Access(key({}, { role: "operator", groups: ["finance"] }), given);
    const outsider = new Access(key({}, { role: "operator", groups: [] }), given);
    expect([insider.mayStart("pay"), outsider.mayStart("pay")]).toEqual([true, false]);
  });

  test("is told what it lacks: a scope, an owner with the role, or being a person", () => {
    const none = { answer: false, drive: false, metrics: false } as const;
    const bare = new Access(key({ ...none, start: [] }));
    expect(bare.lackOf("tasks:drive")).toBe("it lacks the scope `drive`");
    expect(bare.lackOf("tasks:cancel")).toBe("it lacks the scope `start`");
    expect(bare.lackOf("questions:claim")).toBe("it is for people only");
    const viewers = new Access(key({}, { role: "viewer", groups: [] }));
    expect(viewers.lackOf("tasks:drive")).toBe("its owner would need the role operator");
    expect(new Access(person("viewer")).lackOf("tasks:start")).toBe("it takes the role operator");
  });

  test("never manages anything, whoever owns it", () => {
    const access = new Access(key({}, { role: "admin", groups: [] }));
    for (const permission of [
      "keys:manage",
      "people:manage",
      "settings:manage",
      "audit:read",
    ] as const) {
      expect(access.may(permission)).toBe(false);
    }
  });
});
