import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authRoutes } from "../../server/adapters/http/auth-routes.ts";
import { appRouter } from "../../server/adapters/trpc/app-router.ts";
import type { AuditAction, AuditEntry } from "../../server/core/audit.ts";
import { allScopes } from "../../server/core/permission.ts";
import { type IdentityServer, password, startIdentityServer } from "../support/identity-server.ts";
import { SoftPasskey } from "../support/soft-passkey.ts";

// Each procedure that changes something, and each way in and out, with what it must leave in the audit
// log. One that is in neither list fails: whoever adds it decides what the log says of it.

type Headers = Record<string, string>;

/** Does it once. @returns what the entry has beside the action, the caller, surface and address. */
type Change = () => Promise<Partial<AuditEntry> & { by?: "agent" | "nobody" | string }>;

let server: IdentityServer;
let admin: Awaited<ReturnType<IdentityServer["person"]>>;
let agent: Awaited<ReturnType<IdentityServer["agent"]>>;
let page: Headers;

beforeAll(async () => {
  server = await startIdentityServer({
    register: (manager) => manager.registerTask("ask", (ctx) => ctx.askCustomer("Go?")),
  });
  page = { origin: `http://localhost:${server.port}` };
  admin = await server.person("admin");
  agent = await server.agent({ read: "all" });
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

async function post(path: string, headers: Headers, body: object) {
  const answer = await server.send(path, headers, body);
  expect([path, answer.status, answer.body]).toEqual([path, 200, answer.body]);
  return JSON.parse(answer.body);
}

const call = async (path: string, input: object, headers: Headers = admin.headers) =>
  (await post(`/api/trpc/${path}`, headers, input)).result.data;

const auth = (path: string, body: object, headers: Headers = page) =>
  post(`/api/auth${path}`, headers, body);

async function asked(): Promise<{ taskId: string; questionId: string }> {
  const taskId = await server.manager.startTask("ask");
  const { pendingQuestion } = await server.manager.pollTask(taskId, { waitFor: "input_or_result" });
  return { taskId, questionId: pendingQuestion?.questionId as string };
}

const entrant = (token: string, email: string) => ({ token, name: "New", email, password });

async function newLink(): Promise<string> {
  return (await call("people.invite", { email: null, role: "viewer", groups: ["ops"] })).token;
}

const procedures: Record<string, [AuditAction, Change]> = {
  "tasks.start": [
    "task.started",
    async () => {
      const { taskId } = await call("tasks.start", { type: "ask", params: { n: 1 } });
      return { taskId, taskType: "ask", details: expect.objectContaining({ params: { n: 1 } }) };
    },
  ],
  "tasks.cancel": [
    "task.cancelled",
    async () => {
      const { taskId } = await asked();
      await call("tasks.cancel", { taskId, reason: "enough" }, agent.headers);
      const details = expect.objectContaining({ reason: "enough" });
      return { taskId, details, by: "agent", surface: "trpc" };
    },
  ],
  "tasks.rerun": [
    "task.rerun",
    async () => ({ taskId: (await call("tasks.rerun", { taskId: await ended() })).taskId }),
  ],
  "tasks.cancelMany": [
    "task.cancelled",
    async () => {
      const { taskId } = await asked();
      await call("tasks.cancelMany", { taskIds: [taskId] });
      return { taskId };
    },
  ],
  "tasks.rerunMany": [
    "task.rerun",
    async () => {
      await call("tasks.rerunMany", { taskIds: [await ended()] });
      return { taskType: "ask" };
    },
  ],
  "questions.answer": [
    "question.answered",
    async () => {
      const { taskId, questionId } = await asked();
      await call("questions.answer", { questionId, answer: "yes" });
      return { taskId, questionId, details: expect.objectContaining({ answer: "yes" }) };
    },
  ],
  "questions.answerMany": [
    "question.answered",
    async () => {
      const { questionId } = await asked();
      await call("questions.answerMany", { answers: [{ questionId, answer: "no" }] });
      return { questionId, details: expect.objectContaining({ answer: "no" }) };
    },
  ],
  "questions.decline": [
    "question.declined",
    async () => {
      const { questionId } = await asked();
      await call("questions.decline", { questionId, reason: "not mine" });
      return { questionId, details: expect.objectContaining({ reason: "not mine" }) };
    },
  ],
  "questions.claim": [
    "question.claimed",
    async () => {
      const { questionId } = await asked();
      await call("questions.claim", { questionId });
      return { questionId };
    },
  ],
  "questions.release": [
    "question.released",
    async () => {
      const { questionId } = await asked();
      await call("questions.claim", { questionId });
      await call("questions.release", { questionId });
      return { questionId };
    },
  ],
  "questions.seen": [
    "question.seen",
    async () => {
      const { questionId } = await asked();
      await call("questions.seen", { questionId });
      return { questionId };
    },
  ],
  "keys.make": [
    "identity.key_made",
    async () => {
      const made = { name: "k", scopes: { ...allScopes }, expiresAt: null };
      await call("keys.make", made);
      return { details: expect.objectContaining({ name: "k", scopes: made.scopes }) };
    },
  ],
  "keys.revoke": [
    "identity.key_revoked",
    async () => {
      const { keyId } = await server.agent();
      await call("keys.revoke", { keyId });
      return { details: expect.objectContaining({ keyId }) };
    },
  ],
  "people.invite": [
    "identity.invite_made",
    async () => {
      await newLink();
      return { details: expect.objectContaining({ role: "viewer", groups: ["ops"] }) };
    },
  ],
  "people.withdrawInvite": [
    "identity.invite_withdrawn",
    async () => {
      const wanted = { email: null, role: "viewer", groups: [] };
      const { linkId } = (await call("people.invite", wanted)).invite;
      await call("people.withdrawInvite", { linkId });
      return { details: { linkId } };
    },
  ],
  "people.change": [
    "identity.person_changed",
    async () => {
      const { userId } = await server.person("viewer");
      await call("people.change", { userId, role: "operator", groups: ["ops"] });
      const told = JSON.stringify(await newest("identity.person_changed"));
      for (const part of ["viewer", "operator", "ops"]) expect(told).toContain(part);
      return { details: expect.objectContaining({ userId }) };
    },
  ],
  "people.endSessions": [
    "identity.sessions_ended",
    async () => {
      const { userId, email } = await server.person("viewer");
      await call("people.endSessions", { userId });
      return { details: expect.objectContaining({ userId, email, sessions: 1 }) };
    },
  ],
  "settings.setRule": [
    "identity.type_rule_changed",
    async () => {
      await call("settings.setRule", { type: "other", access: { see: ["admin"] } });
      return { details: { type: "other", before: null, after: { see: ["admin"] } } };
    },
  ],
  "drive.start": [
    "task.started",
    async () => {
      const { taskId } = await call("drive.start", { type: "ci/build" }, agent.headers);
      return { taskId, by: "agent", surface: "trpc" };
    },
  ],
};

/** What changes nothing that somebody could be asked about, and why. */
const unnoted: Record<string, string> = {
  "questions.check": "it tries an answer, and changes nothing",
  "drive.heartbeat": "the driver's own work, which the timeline tells",
  "drive.update": "the driver's own work, which the timeline tells",
  "drive.progress": "the driver's own work, which the timeline tells",
  "drive.ask": "the driver's own work, which the timeline tells",
  "drive.finish": "the driver's own work, which the timeline tells",
  "push.put": "where one's own browser is told",
  "push.remove": "where one's own browser is told",
};

async function ended(): Promise<string> {
  const { taskId, questionId } = await asked();
  await server.manager.answerQuestion(questionId, "done", { actor: undefined });
  await server.manager.pollTask(taskId, { waitFor: "input_or_result" });
  while ((await server.manager.getTask(taskId)).task.status !== "completed");
  return taskId;
}

const ways: Record<string, [AuditAction, Change]> = {
  "/set-up": [
    "identity.set_up",
    async () => {
      const fresh = await startIdentityServer();
      const token = (await fresh.identity.people.makeSetUpToken()) as string;
      const origin = { origin: `http://localhost:${fresh.port}` };
      await fresh.send("/api/auth/set-up", origin, entrant(token, "first@example.com"));
      await fresh.noted();
      const { items } = await fresh.store.audit.list({ limit: 10 });
      expect(items.map(({ action }) => action)).toContain("identity.signed_in");
      const entry = items.find(({ action }) => action === "identity.set_up") as AuditEntry;
      await fresh.close();
      const { auditId: _, ...record } = entry;
      await server.store.audit.append(record);
      const by = entry.actor?.id as string;
      return { by, details: expect.objectContaining({ email: "first@example.com" }) };
    },
  ],
  "/accept-invite": [
    "identity.invite_accepted",
    async () => {
      const email = "invited@example.com";
      await auth("/accept-invite", entrant(await newLink(), email));
      const by = server.identity.people.findByEmail(email)?.userId as string;
      return { by, details: expect.objectContaining({ email, role: "viewer", groups: ["ops"] }) };
    },
  ],
  "/sign-in": [
    "identity.signed_in",
    async () => {
      await auth("/sign-in", { email: admin.email, password });
      return { details: { email: admin.email, method: "password" } };
    },
  ],
  "/sign-out": [
    "identity.signed_out",
    async () => {
      const { userId, headers } = await server.person("viewer");
      await auth("/sign-out", {}, headers);
      return { by: userId };
    },
  ],
  "/end-sessions": [
    "identity.sessions_ended",
    async () => {
      const { userId, email, headers } = await server.person("viewer");
      await auth("/sign-in", { email, password });
      await auth("/end-sessions", { others: true }, headers);
      return { by: userId, details: expect.objectContaining({ sessions: 1 }) };
    },
  ],
  "/change-password": [
    "identity.password_changed",
    async () => {
      const { userId, headers } = await server.person("viewer");
      const given = { currentPassword: password, newPassword: "another one for tests" };
      await auth("/change-password", given, headers);
      return { by: userId };
    },
  ],
  "/passkeys/add": [
    "identity.passkey_added",
    async () => {
      const { userId } = await withPasskey();
      return { by: userId, details: expect.objectContaining({ name: "laptop" }) };
    },
  ],
  "/passkeys/rename": [
    "identity.passkey_renamed",
    async () => {
      const { userId, headers, passkeyId } = await withPasskey();
      await auth("/passkeys/rename", { passkeyId, name: "phone" }, headers);
      return { by: userId, details: { passkeyId, before: "laptop", after: "phone" } };
    },
  ],
  "/passkeys/remove": [
    "identity.passkey_removed",
    async () => {
      const { userId, headers, passkeyId } = await withPasskey();
      await auth("/passkeys/remove", { passkeyId }, headers);
      return { by: userId, details: { passkeyId, name: "laptop" } };
    },
  ],
  "/passkey/sign-in": [
    "identity.signed_in",
    async () => {
      const { userId, email, passkey } = await withPasskey();
      const { options, state } = await auth("/passkey/begin", {});
      const response = passkey.answer({ ...options, ...page });
      await auth("/passkey/sign-in", { state, response });
      return { by: userId, details: { email, method: "passkey" } };
    },
  ],
};

const elsewhere = "what comes of it is noted by the provider's answer: single-sign-on.test.ts";
const unnotedWays: Record<string, string> = {
  "/ways": "it only reads",
  "/own-ways": "it only reads",
  "/link": "it only reads",
  "/sessions": "it only reads",
  "/passkey/begin": "it only begins",
  "/passkeys/begin": "it only begins",
  "/oidc/begin": elsewhere,
  "/oidc/connect": elsewhere,
  "/oidc/disconnect": elsewhere,
};

async function withPasskey() {
  const person = await server.person("viewer");
  const passkey = new SoftPasskey();
  const { options, state } = await auth("/passkeys/begin", {}, person.headers);
  const response = passkey.register({ ...options, origin: page.origin as string });
  const body = { name: "laptop", state, response };
  const added = await auth("/passkeys/add", body, person.headers);
  return { ...person, passkey, passkeyId: added.passkey.passkeyId as string };
}

/** The newest entry of an action; of identities it is written right after the answer. */
async function newest(action: AuditAction): Promise<AuditEntry | undefined> {
  await server.noted();
  const { items } = await server.store.audit.list({ actions: [action], limit: 1 });
  return items[0];
}

async function expectNoted(action: AuditAction, change: Change): Promise<void> {
  const before = (await newest(action))?.auditId ?? 0;
  const began = new Date().toISOString();
  const { by = admin.userId, ...rest } = await change();
  const kind = by === "agent" ? "agent" : "operator";
  const entry = await newest(action);
  expect(entry).toMatchObject({
    action,
    actor: { kind, id: by === "agent" ? agent.keyId : by },
    surface: "dashboard",
    address: "127.0.0.1",
    ...rest,
  });
  expect(entry?.auditId).toBeGreaterThan(before);
  expect(String(entry?.at) >= began).toBe(true);
  expect(JSON.stringify(entry)).not.toContain(password);
}

describe("every procedure that changes something is in the log, with who, where from, when and what", () => {
  const mutations = Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
  ).flatMap(([path, { _def }]) => (_def.type === "mutation" ? [path] : []));

  test("or is known to change nothing of the kind", () => {
    const known = [...Object.keys(procedures), ...Object.keys(unnoted)];
    expect(known.sort()).toEqual(mutations.sort());
  });

  test.each(Object.entries(procedures))("%s", (_, [action, change]) => expectNoted(action, change));
});

describe("so is every way in and out", () => {
  test("or it is known to change nothing", () => {
    const known = [...Object.keys(ways), ...Object.keys(unnotedWays)];
    expect(known.sort()).toEqual(Object.keys(authRoutes).sort());
  });

  test.each(Object.entries(ways))("%s", (_, [action, change]) => expectNoted(action, change));
});

describe("what was refused is in the log with its surface and address", () => {
  const nobody = { actor: null, address: "127.0.0.1" };

  test("a wrong password, at the door and when it is to be changed", async () => {
    const wrong = { email: admin.email, password: "not the password" };
    expect((await server.send("/api/auth/sign-in", page, wrong)).status).toBe(401);
    const details = { email: admin.email, method: "password" };
    expect(await newest("identity.sign_in_failed")).toMatchObject({
      ...nobody,
      surface: "dashboard",
      details,
    });
    const given = { currentPassword: wrong.password, newPassword: "another one for tests" };
    expect((await server.send("/api/auth/change-password", admin.headers, given)).status).toBe(400);
    expect(await newest("identity.sign_in_failed")).toMatchObject({
      actor: { id: admin.userId },
      surface: "dashboard",
      details,
    });
  });

  test("a key that is none, over each surface; a repeated one is noted once", async () => {
    const refused = async () => {
      await server.noted();
      const query = { actions: ["identity.key_refused"], limit: 500 } as const;
      return (await server.store.audit.list(query)).items;
    };
    const before = (await refused()).length;
    for (const [path, surface] of [
      ["/api/v1/tasks", "rest"],
      ["/api/trpc/tasks.list", "trpc"],
      ["/api/mcp", "mcp"],
    ] as const) {
      const headers = { authorization: `Bearer wrong-over-${surface}` };
      for (let i = 0; i < 3; i++) await server.send(path, headers, { jsonrpc: "2.0" });
      const details = { why: "unknown" };
      expect(await newest("identity.key_refused")).toMatchObject({ ...nobody, surface, details });
    }
    expect(await refused()).toHaveLength(before + 3);
  });

  test("a key that was revoked says which it was", async () => {
    const { keyId, headers } = await server.agent();
    await call("keys.revoke", { keyId });
    for (let i = 0; i < 3; i++)
      expect((await server.send("/api/v1/tasks", headers)).status).toBe(401);
    await server.noted();
    const { items } = await server.store.audit.list({
      actions: ["identity.key_refused"],
      limit: 9,
    });
    expect(items.filter(({ details }) => details.keyId === keyId)).toMatchObject([
      { ...nobody, surface: "rest", details: { why: "revoked" } },
    ]);
  });

  test("too many attempts, with the one that met the limit", async () => {
    const fresh = await startIdentityServer();
    for (let i = 0; i < 25; i++) {
      await fresh.send("/api/v1/tasks", { authorization: `Bearer wrong-${i}` });
    }
    await fresh.noted();
    const { items } = await fresh.store.audit.list({ limit: 500 });
    expect(items.filter(({ action }) => action === "identity.attempts_blocked")).toMatchObject([
      { ...nobody, surface: "rest", details: { what: "keys from an address", of: "127.0.0.1" } },
    ]);
    await fresh.close();
  });
});
