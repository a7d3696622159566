import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { auditCsvHead, auditCsvLine } from "../../server/adapters/rest/audit-csv.ts";
import type { AuditEntry, AuditRecord } from "../../server/core/audit.ts";
import { toAuditRecord } from "../../server/identity/audit-identity.ts";
import type { Caller } from "../../server/identity/caller.ts";
import { CallersTasks } from "../../server/identity/callers-tasks.ts";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";

const secret = "tok-5f1c0a97e3b24d";
const pin = "pin-77120034411";

let server: IdentityServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await startIdentityServer({
    register(manager) {
      const access = { answer: ["group:treasury"] as const };
      manager.registerTask({ type: "guarded", access }, (ctx) => ctx.askCustomer("Pay?"));
      const params = z.object({ token: z.string().min(5).meta({ secret: true }) });
      manager.registerTask({ type: "login", params }, async (ctx, { token }) => {
        const given = await ctx.askCustomer("The PIN?", { secret: true });
        throw new Error(`no entry with ${token} and ${given}`);
      });
    },
  });
  admin = (await server.person("admin")).headers;
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

const get = async (path: string, headers = admin) => {
  const { status, body } = await server.send(`/api/v1${path}`, headers);
  return { status, body, json: () => JSON.parse(body) };
};

async function auditOf(query = ""): Promise<AuditEntry[]> {
  const { status, json } = await get(`/audit${query}`);
  expect(status).toBe(200);
  return json().items;
}

const statusOf = async (questionId: string, headers: Record<string, string>, answer: unknown) => {
  const path = `/api/v1/questions/${questionId}/answer`;
  const { status, body } = await server.send(path, headers, { answer });
  return { status, body };
};

test("a task with secrets: who did what is told, the secrets on no surface", async () => {
  const agent = await server.agent();
  const operator = await server.person("operator");
  const refused = await server.send("/api/v1/tasks", agent.headers, {
    type: "login",
    params: { token: secret.slice(0, 4) },
  });
  expect(refused.status).toBe(400);
  const start = await server.send("/api/v1/tasks", agent.headers, {
    type: "login",
    params: { token: secret },
    idempotencyKey: "once",
  });
  const { taskId } = JSON.parse(start.body);
  const poll = await get(`/tasks/${taskId}/poll?waitFor=input_or_result`, agent.headers);
  const { questionId } = poll.json().pendingQuestion;
  expect(poll.json().pendingQuestion).toMatchObject({ secret: true, answerableBy: "operator" });

  for (let i = 0; i < 3; i++) {
    expect((await statusOf(questionId, agent.headers, pin)).status).toBe(403);
  }
  const won = await statusOf(questionId, operator.headers, pin);
  expect([won.status, JSON.parse(won.body).question.answer]).toEqual([200, "•••"]);
  expect((await statusOf(questionId, operator.headers, pin)).status).toBe(200);
  const late = await statusOf(questionId, operator.headers, "pin-another");
  expect([late.status, late.body.includes("pin-")]).toEqual([409, false]);
  await get(`/tasks/${taskId}/poll?waitFor=input_or_result&since=${poll.json().cursor}`);

  const told = await auditOf(`?taskId=${taskId}`);
  expect(told).toMatchObject([
    {
      action: "question.answered",
      actor: { kind: "operator", id: operator.userId },
      surface: "dashboard",
      address: "127.0.0.1",
      questionId,
      details: { prompt: "The PIN?", answer: "•••" },
    },
    { action: "question.refused", actor: { kind: "agent" }, details: { tried: "answered" } },
    {
      action: "task.started",
      actor: { kind: "agent", id: agent.keyId },
      surface: "rest",
      address: "127.0.0.1",
      taskType: "login",
      details: { params: { token: "•••" } },
    },
  ]);
  const surfaces = [
    refused.body,
    start.body,
    poll.body,
    won.body,
    late.body,
    (await get(`/tasks/${taskId}`)).body,
    (await get("/tasks")).body,
    (await get("/questions?state=resolved")).body,
    (await get(`/questions/${questionId}`)).body,
    (await get(`/tasks/${taskId}/poll`)).body,
    (await get("/task-types")).body,
    (await server.send(`/api/trpc/tasks.events?input=${input({ taskId })}`, admin)).body,
    (await get("/audit/export")).body,
    (await get("/audit/export?format=csv")).body,
  ];
  expect(surfaces[5]).toContain("no entry with ••• and •••");
  expect(surfaces[11]).toContain("task_finished");
  for (const body of surfaces) expect(body).not.toMatch(/tok-5f|pin-7/);
});

function input(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value));
}

test("a refusal by the rule of a type is noted, once for each who tried", async () => {
  const { taskId, questionId } = await asking("guarded");
  const operator = await server.person("operator");
  const treasurer = await server.person("operator", ["treasury"]);
  for (const _ of [1, 2]) {
    expect((await statusOf(questionId, operator.headers, "yes")).status).toBe(403);
    const path = `/api/v1/questions/${questionId}/decline`;
    expect((await server.send(path, operator.headers, {})).status).toBe(403);
  }
  expect((await statusOf(questionId, treasurer.headers, "yes")).status).toBe(200);
  expect(await auditOf(`?taskId=${taskId}`)).toMatchObject([
    { action: "question.answered", actor: { id: treasurer.userId }, details: { answer: "yes" } },
    { action: "question.refused", actor: { id: operator.userId }, questionId },
    { action: "task.started", taskType: "guarded" },
  ]);
});

async function asking(type = "login") {
  const agent = await server.agent();
  const params = { token: secret };
  const start = await server.send("/api/v1/tasks", agent.headers, { type, params });
  const { taskId } = JSON.parse(start.body);
  const poll = await get(`/tasks/${taskId}/poll?waitFor=input_or_result`, agent.headers);
  return { taskId, questionId: poll.json().pendingQuestion.questionId as string };
}

test("what happens to identities is in the log, whoever did it", async () => {
  const before = (await auditOf())[0]?.auditId ?? 0;
  const person = await server.person("operator");
  const wrong = { email: person.email, password: "not the password" };
  const page = { origin: `http://localhost:${server.port}` };
  expect((await server.send("/api/auth/sign-in", page, wrong)).status).toBe(401);
  await server.send("/api/auth/sign-out", person.headers, {});
  const { keyId } = await server.agent();
  await server.send("/api/trpc/keys.revoke", admin, { keyId });
  const entries = (await auditOf("?limit=100")).filter(({ auditId }) => auditId > before);
  const actions = entries.map(({ action }) => action);
  for (const action of ["sign_in_failed", "signed_out", "key_made", "key_revoked"]) {
    expect(actions).toContain(`identity.${action}`);
  }
  const failed = entries.find(({ action }) => action === "identity.sign_in_failed");
  expect(failed?.address).toBe("127.0.0.1");
  expect(JSON.stringify(entries)).not.toContain(wrong.password);
});

test("filters narrow the list and the export alike; pages follow each other", async () => {
  await asking();
  const all = await auditOf("?limit=500");
  const started = all.filter(({ action }) => action === "task.started");
  expect(await auditOf("?action=task.started")).toEqual(started);
  const exported = await get("/audit/export?action=task.started");
  expect(
    exported.body
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(started);
  const [newest] = started;
  expect(await auditOf(`?action=task.started&until=${newest?.at}`)).toEqual(started.slice(1));
  expect(await auditOf(`?action=task.started&from=${newest?.at}`)).toEqual([newest]);
  expect(await auditOf("?from=2100-01-01")).toEqual([]);
  const first = (await get("/audit?limit=2")).json();
  const second = (await get(`/audit?limit=2&after=${encodeURIComponent(first.nextCursor)}`)).json();
  expect([...first.items, ...second.items].map(({ auditId }) => auditId)).toEqual(
    (await auditOf("?limit=4")).map(({ auditId }) => auditId),
  );
  for (const query of ["?action=none", "?from=yesterday", "?after=x", "?limit=0", "?none=1"]) {
    expect([query, (await get(`/audit${query}`)).status]).toEqual([query, 400]);
  }
  expect((await get("/audit/export?format=xml")).status).toBe(400);
});

test("an export of any length is streamed, and is itself in the log", async () => {
  const record: AuditRecord = {
    at: "2020-01-01T00:00:00.000000Z",
    action: "task.started",
    actor: { kind: "agent", id: "many", name: "many" },
    keyOwnerId: null,
    surface: "rest",
    address: null,
    taskId: null,
    taskType: null,
    questionId: null,
    details: {},
  };
  for (let i = 0; i < 1201; i++) await server.store.audit.append(record);
  const response = await fetch(`${server.url}/api/v1/audit/export?actor=many&format=csv`, {
    headers: { cookie: admin.cookie as string },
  });
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="[\w-]+\.csv"$/,
  );
  const lines = (await response.text()).split("\r\n");
  expect(lines).toHaveLength(1203);
  expect(new Set(lines).size).toBe(1203);
  const [entry] = await auditOf("?action=audit.exported");
  expect(entry).toMatchObject({
    actor: { kind: "operator" },
    details: { format: "csv", filters: { actor: "many" } },
  });
});

test("an export ends with the session it was begun in", async () => {
  const { headers } = await server.person("admin");
  const { identity, manager, store } = server;
  const caller = await identity.sessions.authenticate(new Headers(headers), { address: null });
  const record = await anyRecord();
  for (let i = 0; i < 501; i++) await store.audit.append(record);
  const tasks = new CallersTasks(manager, caller as Caller, identity.openCalls);
  const signal = new AbortController().signal;
  const pages = tasks.exportAudit({}, { format: "csv", signal });
  expect((await pages.next()).value).toHaveLength(500);
  await server.send("/api/auth/sign-out", headers, {});
  await expect(pages.next()).rejects.toMatchObject({ code: "unauthorized" });
  expect((await server.send("/api/v1/audit/export", headers)).status).toBe(401);
});

async function anyRecord(): Promise<AuditRecord> {
  const { auditId: _, ...record } = (await auditOf("?limit=1"))[0] as AuditEntry;
  return record;
}

test("a cell that a spreadsheet would run is a text, and a line stays a line", () => {
  const hostile = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1"];
  for (const name of hostile) {
    const line = auditCsvLine({
      ...toAuditRecord({
        kind: "signed_in",
        actor: { kind: "operator", id: "o", name, surface: "dashboard" },
        address: null,
        details: { note: 'a "quoted", text\nof two lines' },
      }),
      auditId: 7,
    });
    const cells = /^7,[^,]+,identity\.signed_in,operator,o,(.*),,dashboard,,,,,(.*)\r\n$/s.exec(
      line,
    );
    const written = (cells?.[1] ?? "").replace(/^"|"$/g, "");
    expect([name, written]).toEqual([name, `'${name}`]);
    expect(cells?.[2]).toBe('"{""note"":""a \\""quoted\\"", text\\nof two lines""}"');
  }
  expect(auditCsvHead.split(",")).toHaveLength(13);
});
