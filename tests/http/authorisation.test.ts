import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authRoutes } from "../../server/adapters/http/auth-routes.ts";
import { restRoutes } from "../../server/adapters/rest/rest-routes.ts";
import { appRouter } from "../../server/adapters/trpc/app-router.ts";
import type { ProcedureRule } from "../../server/adapters/trpc/trpc.ts";
import {
  type KeyScopes,
  type Permission,
  permissions,
  type Role,
  roles,
} from "../../server/core/permission.ts";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";

// Written out once more, and on purpose apart from the program's own table: who may do what is a
// promise, and a change of it must fail here.
const ofRole: Record<Role, readonly Permission[]> = {
  viewer: ["tasks:read"],
  operator: [
    "tasks:read",
    "tasks:start",
    "tasks:cancel",
    "questions:answer",
    "questions:claim",
    "tasks:drive",
  ],
  admin: permissions,
};

const nothing: KeyScopes = { start: [], read: "own", answer: false, drive: false, metrics: false };
const ofScopes: [name: string, Partial<KeyScopes>, readonly Permission[]][] = [
  ["no scope", {}, ["tasks:read"]],
  ["read all", { read: "all" }, ["tasks:read"]],
  ["start all", { start: "all" }, ["tasks:read", "tasks:start", "tasks:cancel"]],
  ["start one type", { start: ["echo"] }, ["tasks:read", "tasks:start", "tasks:cancel"]],
  ["answer", { answer: true }, ["tasks:read", "questions:answer"]],
  ["drive", { drive: true }, ["tasks:read", "tasks:drive"]],
  ["metrics", { metrics: true }, ["tasks:read", "metrics:read"]],
];

/** The rule of each procedure. A procedure that is not here fails the test below. */
const rules: Record<string, ProcedureRule> = {
  "tasks.types": "tasks:read",
  "tasks.start": "tasks:start",
  "tasks.get": "tasks:read",
  "tasks.list": "tasks:read",
  "tasks.events": "tasks:read",
  "tasks.searchEvents": "tasks:read",
  "tasks.poll": "tasks:read",
  "tasks.cancel": "tasks:cancel",
  "tasks.rerun": "tasks:start",
  "tasks.cancelMany": "tasks:cancel",
  "tasks.rerunMany": "tasks:start",
  "tasks.stats": "tasks:read",
  "tasks.overview": "tasks:read",
  "questions.list": "tasks:read",
  "questions.get": "tasks:read",
  "questions.answer": "questions:answer",
  "questions.answerMany": "questions:answer",
  "questions.check": "questions:answer",
  "questions.decline": "questions:answer",
  "questions.claim": "questions:claim",
  "questions.release": "questions:claim",
  "questions.previousApproval": "tasks:read",
  "questions.seen": "tasks:read",
  "live.task": "tasks:read",
  "live.feed": "tasks:read",
  "keys.list": "keys:manage",
  "keys.make": "keys:manage",
  "keys.revoke": "keys:manage",
  "people.list": "people:manage",
  "people.invite": "people:manage",
  "people.withdrawInvite": "people:manage",
  "people.change": "people:manage",
  "people.endSessions": "people:manage",
  "settings.rules": "settings:manage",
  "settings.setRule": "settings:manage",
  "drive.start": "tasks:drive",
  "drive.heartbeat": "tasks:drive",
  "drive.update": "tasks:drive",
  "drive.progress": "tasks:drive",
  "drive.ask": "tasks:drive",
  "drive.finish": "tasks:drive",
  "audit.list": "audit:read",
  "system.info": "signed_in",
  "push.key": "signed_in",
  "push.put": "signed_in",
  "push.remove": "signed_in",
};

interface Procedure {
  _def: { type: "query" | "mutation" | "subscription"; meta?: { rule?: ProcedureRule } };
}

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, Procedure>,
);

interface Visitor {
  name: string;
  headers: Record<string, string>;
  may: readonly Permission[];
}

let server: IdentityServer;
const visitors: Visitor[] = [];
const strangers: Visitor[] = [];

beforeAll(async () => {
  server = await startIdentityServer({
    register: (manager) => manager.registerTask("echo", (_ctx, params) => params),
  });
  for (const role of roles) {
    const { headers } = await server.person(role);
    visitors.push({ name: role, headers, may: ofRole[role] });
  }
  for (const [name, scopes, may] of ofScopes) {
    const { headers } = await server.agent({ ...nothing, ...scopes });
    visitors.push({ name: `key: ${name}`, headers, may });
  }
  strangers.push({ name: "nobody", headers: {}, may: [] });
  strangers.push({ name: "an unknown key", headers: { authorization: "Bearer x" }, may: [] });
  const revoked = await server.agent();
  await server.identity.keys.revoke(revoked.keyId, await adminCaller());
  strangers.push({ name: "a revoked key", headers: revoked.headers, may: [] });
  const expiring = await server.agent({}, new Date(Date.now() + 300).toISOString());
  await new Promise((resolve) => setTimeout(resolve, 400));
  strangers.push({ name: "an expired key", headers: expiring.headers, may: [] });
  const gone = await server.person("admin");
  await server.send("/api/auth/sign-out", gone.headers, {});
  strangers.push({ name: "a session that was ended", headers: gone.headers, may: [] });
  const shutOut = await server.person("admin");
  await server.identity.changePerson(shutOut.userId, { isDisabled: true }, await adminCaller());
  strangers.push({ name: "a person who was shut out", headers: shutOut.headers, may: [] });
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

async function adminCaller() {
  const { somebody } = await import("../support/identity-server.ts");
  return somebody;
}

/** Calls a procedure without a useful input: what counts is whether it is let so far. */
async function statusOf(path: string, { _def }: Procedure, { headers }: Visitor): Promise<number> {
  if (_def.type === "subscription") return streamStatus(path, headers);
  const body = _def.type === "mutation" ? {} : undefined;
  return (await server.send(`/api/trpc/${path}`, headers, body)).status;
}

async function streamStatus(path: string, headers: Record<string, string>): Promise<number> {
  const ends = new AbortController();
  const input = encodeURIComponent(JSON.stringify({ taskId: "task_none" }));
  const query = path === "live.task" ? `?input=${input}` : "";
  const response = await fetch(`${server.url}/api/trpc/${path}${query}`, {
    headers: { ...headers, origin: server.url, accept: "text/event-stream" },
    signal: ends.signal,
  });
  ends.abort();
  return response.status;
}

describe("the rules", () => {
  test("every procedure has one, and it is the one promised", () => {
    expect(
      Object.fromEntries(procedures.map(([path, { _def }]) => [path, _def.meta?.rule])),
    ).toEqual(rules);
  });

  test("every REST route is one of these procedures", () => {
    expect(restRoutes.length).toBeGreaterThan(5);
    for (const { procedure } of restRoutes) expect(Object.keys(rules)).toContain(procedure);
  });

  test("the ways in that need no identity are these", () => {
    const open = Object.entries(authRoutes).filter(([, { rule }]) => rule === "nobody");
    expect(open.map(([path]) => path).sort()).toEqual([
      "/accept-invite",
      "/link",
      "/oidc/begin",
      "/passkey/begin",
      "/passkey/sign-in",
      "/set-up",
      "/sign-in",
      "/ways",
    ]);
  });
});

describe("every procedure over tRPC", () => {
  test.each(procedures)("%s", async (path, procedure) => {
    const rule = rules[path] as ProcedureRule;
    for (const stranger of strangers) {
      expect([stranger.name, await statusOf(path, procedure, stranger)]).toEqual([
        stranger.name,
        401,
      ]);
    }
    for (const visitor of visitors) {
      const status = await statusOf(path, procedure, visitor);
      const isLetIn = rule === "signed_in" || visitor.may.includes(rule);
      // Let in, the call fails for its input or finds nothing, or succeeds: never for who calls.
      const told = [visitor.name, isLetIn ? ![401, 403].includes(status) : status === 403, status];
      expect(told).toEqual([visitor.name, true, status]);
    }
  });
});

describe("every route over REST", () => {
  const routes = [
    ...restRoutes,
    { method: "GET" as const, path: "/openapi.json", procedure: "system.info" },
  ].map((route) => [`${route.method} ${route.path}`, route] as const);

  test.each(routes)("%s", async (_, { method, path, procedure }) => {
    const rule = rules[procedure] as ProcedureRule;
    // An overview is refused for what it would count, too: here the input is, before that.
    const query = path === "/overview" ? "?range=none" : "";
    const url = `/api/v1${path.replace(/\{\w+\}/g, "none")}${query}`;
    const body = method === "POST" ? {} : undefined;
    for (const stranger of strangers) {
      const { status } = await server.send(url, stranger.headers, body);
      expect([stranger.name, status]).toEqual([stranger.name, 401]);
    }
    for (const visitor of visitors) {
      const { status } = await server.send(url, visitor.headers, body);
      const isLetIn = rule === "signed_in" || visitor.may.includes(rule);
      const told = [visitor.name, isLetIn ? ![401, 403].includes(status) : status === 403, status];
      expect(told).toEqual([visitor.name, true, status]);
    }
  });

  test("a route or procedure that does not exist tells a stranger nothing", async () => {
    for (const path of ["/api/v1/none", "/api/trpc/none.none", "/api/v1/tasks/x/none"]) {
      expect([path, (await server.send(path)).status]).toEqual([path, 401]);
    }
  });
});

describe("beside the API", () => {
  test("health needs nobody, and says nothing but how it is", async () => {
    const { status, body } = await server.send("/api/health");
    expect([status, Object.keys(JSON.parse(body)).sort()]).toEqual([200, ["status", "version"]]);
  });

  test("a key is no session, and a session no key", async () => {
    const { headers } = await server.agent();
    expect((await server.send("/api/session", headers, {})).status).toBe(401);
    expect((await server.send("/api/auth/sign-out", headers, {})).status).toBe(401);
    const { headers: person } = await server.person("admin");
    const asKey = { authorization: `Bearer ${person.cookie?.split("=")[1]}` };
    expect((await server.send("/api/v1/tasks", asKey)).status).toBe(401);
  });
});
