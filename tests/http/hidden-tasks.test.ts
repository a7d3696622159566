import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "../../server/adapters/trpc/app-router.ts";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";
import { mcpSender } from "../support/mcp-client.ts";
import { readStream } from "../support/read-stream.ts";

// A type for one group, and somebody else's tasks: nothing tells of them, on whatever way one asks.

type Headers = Record<string, string>;

// What the hidden task has in it: none of it may be in any answer.
const words = /payroll|hush|h1dden|Pay hush/;

let server: IdentityServer;
let insider: Awaited<ReturnType<IdentityServer["person"]>>;
let hidden: { taskId: string; questionId: string };
const outsiders: [name: string, headers: Headers][] = [];

beforeAll(async () => {
  server = await startIdentityServer({
    register(manager) {
      const access = { see: ["group:finance"], answer: ["group:finance"] } as const;
      manager.registerTask({ type: "payroll", access: { ...access } }, (ctx) =>
        ctx.askCustomer("Pay hush?", { choices: ["yes", "no"] }),
      );
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go?"));
    },
  });
  insider = await server.person("operator", ["finance"]);
  hidden = await start("payroll", { params: { note: "hush" }, labels: { team: "h1dden" } });
  outsiders.push(["an operator", (await server.person("operator")).headers]);
  outsiders.push(["a viewer", (await server.person("viewer")).headers]);
  const { headers } = await server.agent({ start: ["ask"] });
  outsiders.push(["a key for its own tasks", headers]);
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

async function post(path: string, headers: Headers, body: object) {
  const { status, body: text } = await server.send(path, headers, body);
  return { status, body: JSON.parse(text) };
}

async function start(type: string, more: object = {}, { headers } = insider) {
  const { taskId } = (await post("/api/v1/tasks", headers, { type, ...more })).body;
  const { pendingQuestion } = await server.manager.pollTask(taskId, { waitFor: "input_or_result" });
  return { taskId: taskId as string, questionId: pendingQuestion?.questionId as string };
}

const query = (input: object) => `?input=${encodeURIComponent(JSON.stringify(input))}`;

const lists: [procedure: string, input: object][] = [
  ["tasks.types", {}],
  ["tasks.list", {}],
  ["tasks.list", { types: ["payroll"] }],
  ["tasks.list", { text: "hush" }],
  ["tasks.list", { text: "h1dden" }],
  ["tasks.list", { labels: { team: "h1dden" } }],
  ["tasks.list", { statuses: ["waiting_for_input"] }],
  ["tasks.list", { activities: ["parked", "running", "queued"] }],
  ["tasks.list", { waitsForMe: true }],
  ["tasks.list", { order: "oldest" }],
  ["questions.list", {}],
  ["questions.list", { state: "resolved" }],
  ["system.info", {}],
];

describe("lists and counts", () => {
  test.each(lists)("%s %j", async (procedure, input) => {
    const path = `/api/trpc/${procedure}${query(input)}`;
    for (const [name, headers] of outsiders) {
      const { status, body } = await server.send(path, headers);
      expect([name, status]).toEqual([name, 200]);
      expect(body).not.toMatch(words);
      expect(body).not.toContain(hidden.taskId);
    }
    if (procedure === "system.info" || JSON.stringify(input).includes("resolved")) return;
    // Whoever may see it does, so that the above is not empty for another reason.
    const activity = JSON.stringify(input).includes("activities");
    const seen = (await server.send(path, insider.headers)).body;
    if (!activity) expect(seen).toMatch(words);
  });

  test("by the ids of its family", async () => {
    for (const input of [{ parentTaskId: hidden.taskId }, { rerunOf: hidden.taskId }]) {
      for (const [, headers] of outsiders) {
        const { body } = await server.send(`/api/trpc/tasks.list${query(input)}`, headers);
        expect(JSON.parse(body).result.data.items).toEqual([]);
      }
    }
  });

  test("stats and overview count what one sees", async () => {
    const countOf = async (path: string, headers: Headers) => {
      const { status, body } = await server.send(path, headers);
      expect(body).not.toMatch(words);
      return status === 200 ? JSON.parse(body).result.data : status;
    };
    const [[, operator = {}] = [], , [, key = {}] = []] = outsiders;
    const stats = await countOf("/api/trpc/tasks.stats", operator);
    expect(stats).toMatchObject({ openQuestions: 0, tasks: { waiting_for_input: 0 } });
    const overview = `/api/trpc/tasks.overview${query({})}`;
    const before = await countOf(overview, operator);
    await start("payroll");
    const numbers = ({ until: _, ...overview }: Record<string, unknown>) =>
      JSON.stringify(overview).replace(/"\d{4}-[^"]+"/g, '""');
    expect(numbers(await countOf(overview, operator))).toBe(numbers(before));
    expect(await countOf(overview, key)).toBe(403);
  });

  test("a start of a type that nobody may see here is answered like one of no type", async () => {
    for (const [name, headers] of outsiders) {
      if (name === "a viewer") continue;
      const [ofHidden, ofNone] = await Promise.all(
        ["payroll", "payrolx"].map((type) => post("/api/v1/tasks", headers, { type })),
      );
      const told = JSON.stringify(ofNone).replaceAll("payrolx", "payroll");
      expect([name, JSON.stringify(ofHidden)]).toEqual([name, told]);
    }
  });

  test("a page cursor of somebody who sees more shows nothing more", async () => {
    await start("payroll");
    const first = await server.send(`/api/trpc/tasks.list${query({ limit: 1 })}`, insider.headers);
    const after = JSON.parse(first.body).result.data.nextCursor;
    for (const [, headers] of outsiders) {
      const { body } = await server.send(`/api/trpc/tasks.list${query({ after })}`, headers);
      expect(body).not.toMatch(words);
    }
  });

  test("the audit log is for admins, and no filter of it for others", async () => {
    for (const [, headers] of outsiders) {
      for (const path of [`?taskId=${hidden.taskId}`, "", "/export"]) {
        const { status, body } = await server.send(`/api/v1/audit${path}`, headers);
        expect(status).toBe(403);
        expect(body).not.toMatch(words);
      }
    }
  });
});

/** As a page opens it, or a program. */
function openFeed({ cookie, authorization }: Headers) {
  const headers: Headers = authorization ? { authorization } : { cookie: cookie as string };
  return readStream(`${server.url}/api/trpc/live.feed`, headers);
}

describe("streams", () => {
  test("the feed and a task's own stream say nothing of it", async () => {
    for (const [name, headers] of outsiders) {
      const feed = await openFeed(headers);
      await feed.events.next();
      const mine = name === "a viewer" ? null : await start("ask", {}, { ...insider, headers });
      const marker = mine?.taskId ?? (await start("ask")).taskId;
      const secret = await start("payroll");
      await server.manager.cancelTask(secret.taskId);
      await server.manager.cancelTask(marker);
      let told = "";
      for await (const { data } of feed.events) {
        told += data;
        if (data.includes(marker) && data.includes('"cancelled"')) break;
      }
      feed.close();
      expect([name, told.includes(marker)]).toEqual([name, true]);
      expect(told).not.toMatch(words);
      expect(told).not.toContain(secret.taskId);

      for (const id of [hidden.taskId, "task_00000000000000000000"]) {
        const rest = await server.send(`/api/v1/tasks/${id}/events`, headers);
        expect([rest.status, JSON.parse(rest.body).code]).toEqual([404, "task_not_found"]);
      }
    }
  });

  test("a rule that is set while a stream is open counts for it", async () => {
    const { headers } = await server.person("operator");
    const feed = await openFeed(headers);
    await feed.events.next();
    const before = await start("ask");
    const admin = await server.person("admin");
    const rule = { type: "ask", access: { see: ["group:finance"] } };
    await post("/api/trpc/settings.setRule", admin.headers, rule);
    const after = await start("ask");
    await post("/api/trpc/settings.setRule", admin.headers, { ...rule, access: null });
    const last = await start("ask");
    let told = "";
    for await (const { data } of feed.events) {
      told += data;
      if (data.includes(last.questionId)) break;
    }
    feed.close();
    expect(told).toContain(before.taskId);
    expect(told).not.toContain(after.taskId);
  });
});

describe("over MCP", () => {
  test("a key for its own tasks neither gets nor polls another's, with the words for one that never was", async () => {
    const { headers } = await server.agent();
    const mcp = mcpSender(server.url, headers);
    const ids = [hidden.taskId, "task_00000000000000000000"];
    for (const [method, params] of [
      ["tasks/get", (taskId: string) => ({ taskId })],
      ["tasks/cancel", (taskId: string) => ({ taskId })],
      ["tools/call", (task_id: string) => ({ name: "poll_task", arguments: { task_id } })],
    ] as const) {
      const told = [];
      for (const id of ids) {
        const { body } = await mcp.request(method, params(id));
        told.push(JSON.stringify({ ...body, id: 0 }).replaceAll(id, "ID"));
      }
      expect(told[0]).toBe(told[1]);
      expect(told[0]).toContain("no task ID");
    }
  });
});

describe("many at once", () => {
  test("a hidden task among one's own is told as one that never was, and nothing happens to it", async () => {
    const { headers, userId } = await server.person("operator");
    const own = await start("ask", {}, { ...insider, headers, userId });
    const never = "task_00000000000000000000";
    const taskIds = [hidden.taskId, never, own.taskId];
    for (const procedure of ["tasks.rerunMany", "tasks.cancelMany"]) {
      const { body } = await post(`/api/trpc/${procedure}`, headers, { taskIds });
      const [theirs, nobodys, mine] = JSON.parse(
        JSON.stringify(body.result.data.outcomes).replaceAll(hidden.taskId, never),
      );
      expect(theirs).toEqual(nobodys);
      expect(JSON.stringify(theirs)).toContain("task_not_found");
      // What is unfinished cannot be run again; it is refused for that, and not for who asks.
      if (procedure === "tasks.cancelMany") expect(JSON.stringify(mine)).toContain("cancelled");
      expect(JSON.stringify(mine)).not.toContain("task_not_found");
    }
    const { task } = await server.manager.getTask(hidden.taskId);
    expect([task.status, task.cancelRequestedAt ?? null]).toEqual(["waiting_for_input", null]);
    const reruns = await server.manager.listTasks({ rerunOf: hidden.taskId, limit: 5 });
    expect(reruns.items).toEqual([]);
  });

  test("and so is its question among others", async () => {
    const [[, operator = {}] = []] = outsiders;
    const { questionId } = await start("ask");
    const answers = [
      { questionId: hidden.questionId, answer: "yes" },
      { questionId, answer: "yes" },
    ];
    const { body } = await post("/api/trpc/questions.answerMany", operator, { answers });
    const [theirs, open] = body.result.data.results;
    expect(theirs).toMatchObject({ error: { code: "task_not_found" } });
    expect(open.error ?? null).toBeNull();
    expect((await server.manager.getQuestion(hidden.questionId)).outcome).toBeNull();
  });

  test("in a batch of tRPC each call is let in or refused for itself", async () => {
    const batch = async (headers: Headers, calls: [string, object][]) => {
      const path = `/api/trpc/${calls.map(([name]) => name).join(",")}?batch=1`;
      const inputs = Object.fromEntries(calls.map(([, value], i) => [i, value]));
      const { status, body } = await server.send(path, headers, inputs);
      return { status, answers: JSON.parse(body) };
    };
    const { headers } = await server.agent({ answer: false });
    const { answers } = await batch(headers, [
      ["tasks.start", { type: "ask" }],
      ["keys.revoke", { keyId: "key_0" }],
      ["questions.answer", { questionId: hidden.questionId, answer: "yes" }],
      ["tasks.cancel", { taskId: hidden.taskId }],
    ]);
    expect(answers[0].result.data.taskId).toMatch(/^task_/);
    const codes = answers
      .slice(1)
      .map((answer: { error: { data: { code: string } } }) => answer.error.data.code);
    expect(codes).toEqual(["forbidden", "forbidden", "task_not_found"]);
    const nobody = await batch({}, [
      ["tasks.start", { type: "ask" }],
      ["system.info", {}],
    ]);
    expect(JSON.stringify(nobody.answers)).not.toContain("task_");
    expect(nobody.status).toBe(401);
  });
});

test("a page of another origin changes nothing with anybody's session, on any procedure", async () => {
  const { headers } = await server.person("admin");
  const { cookie = "" } = headers;
  const mutations = Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
  ).filter(([, { _def }]) => _def.type === "mutation");
  expect(mutations.length).toBeGreaterThan(20);
  const pages: Headers[] = [
    { origin: "https://evil.example" },
    { "sec-fetch-site": "same-site" },
    {},
  ];
  for (const foreign of pages) {
    for (const [path] of mutations) {
      for (const batch of ["", "?batch=1"]) {
        const { status } = await server.send(
          `/api/trpc/${path}${batch}`,
          { cookie, ...foreign },
          {},
        );
        expect([path, foreign, status]).toEqual([path, foreign, 403]);
      }
    }
  }
});
