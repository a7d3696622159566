import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IdentityServer, somebody, startIdentityServer } from "../support/identity-server.ts";
import { mcpSender, takesTasks } from "../support/mcp-client.ts";
import { sendRequest } from "../support/send-request.ts";

let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({
    register(manager) {
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Well?"));
      manager.registerTask("payout", (ctx) =>
        ctx.askCustomer("Pay?", { answerableBy: "operator" }),
      );
    },
  });
});

afterAll(() => server.close());

async function toolsOf(scopes: Parameters<IdentityServer["agent"]>[0] = {}) {
  const { keyId, headers } = await server.agent(scopes);
  const mcp = mcpSender(server.url, headers);
  const call = async (name: string, args: object) => {
    const { body } = await mcp.request("tools/call", { name, arguments: args }, {});
    return body.result.structuredContent;
  };
  return { keyId, mcp, call };
}

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describe("who may call", () => {
  test("nobody without a key, and the refusal is a message of the protocol", async () => {
    const refused = await mcpSender(server.url).raw(list);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain("Bearer");
    expect(refused.body).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32001, data: { code: "unauthorized" } },
    });
    const wrong = mcpSender(server.url, { authorization: "Bearer wrong" });
    expect((await wrong.raw(list)).status).toBe(401);
  });

  test("no person's session: tools are a program's", async () => {
    const { headers } = await server.person("admin");
    const { status, body } = await server.send("/api/mcp", headers, list);
    expect(status).toBe(401);
    expect(body).toContain("agent's key");
  });

  test("no page of another origin, and no other name of this server", async () => {
    const { headers } = await server.agent();
    const from = (more: Record<string, string>) =>
      sendRequest({
        port: server.port,
        path: "/api/mcp",
        method: "POST",
        headers: { "content-type": "application/json", ...headers, ...more },
        body: JSON.stringify(list),
      });
    expect((await from({ origin: "https://evil.example" })).status).toBe(403);
    expect((await from({ host: "evil.example" })).status).toBe(421);
  });

  test("bodies that are too large, no JSON, no UTF-8, too deep or of another type", async () => {
    const { headers } = await server.agent();
    const send = async (body: string | Buffer, type = "application/json") => {
      const more = { ...headers, "content-type": type };
      const init = { method: "POST", headers: more, body: body as BodyInit };
      const answer = await fetch(`${server.url}/api/mcp`, init);
      return [answer.status, ((await answer.json()) as { error: { code: number } }).error.code];
    };
    expect(await send(`"${"x".repeat(1024 * 1024)}"`)).toEqual([413, -32600]);
    expect(await send("{")).toEqual([400, -32700]);
    expect(await send(Buffer.from([0x22, 0xff, 0x22]))).toEqual([400, -32700]);
    expect(await send("[".repeat(300) + "]".repeat(300))).toEqual([400, -32700]);
    expect(await send(JSON.stringify(list), "text/plain")).toEqual([415, -32600]);
  });

  test("GET and DELETE are of sessions, which there are none of", async () => {
    const { headers } = await server.agent();
    for (const method of ["GET", "DELETE"]) {
      const answer = await fetch(`${server.url}/api/mcp`, { method, headers });
      expect(answer.status).toBe(405);
    }
  });
});

describe("what a key may do", () => {
  test("tools and types are those it may start", async () => {
    const { mcp, call } = await toolsOf({ start: ["ask"] });
    const { body } = await mcp.request("tools/list");
    const names = body.result.tools.map(({ name }: { name: string }) => name);
    expect(names).toContain("ask");
    expect(names).not.toContain("payout");
    const { task_types } = await call("list_task_types", {});
    expect(task_types).toMatchObject([{ task_type: "ask" }]);
    const { error } = await call("start_task", { task_type: "payout" });
    expect(error).toMatchObject({
      code: "forbidden",
      next_step: expect.stringContaining("customer"),
    });
  });

  test("another key's task does not exist, for tools and for the Tasks extension", async () => {
    const owner = await toolsOf();
    const other = await toolsOf();
    const { task_id } = await owner.call("start_task", { task_type: "ask" });
    for (const name of ["get_task", "poll_task", "cancel_task"]) {
      expect((await other.call(name, { task_id })).error).toMatchObject({ code: "task_not_found" });
    }
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const { body } = await other.mcp.request(method, { taskId: task_id, inputResponses: {} });
      expect(body.error).toMatchObject({ code: -32602, message: `There is no task ${task_id}.` });
    }
    expect(await other.call("list_tasks", {})).toMatchObject({ tasks: [] });
    expect(await owner.call("list_tasks", {})).toMatchObject({ tasks: [{ task_id }] });
  });

  test("without leave to answer, neither a tool nor an update answers, and the try is noted", async () => {
    const { mcp, call } = await toolsOf({ answer: false });
    const { task_id } = await call("start_task", { task_type: "ask" });
    const polled = await call("poll_task", { task_id });
    const { question_id } = polled.pending_question;
    const said = await call("respond_to_question", { task_id, question_id, answer: "x" });
    expect(said.error).toMatchObject({ code: "forbidden" });
    const inputResponses = { [question_id]: { action: "accept", content: { answer: "x" } } };
    const { body } = await mcp.request("tasks/update", { taskId: task_id, inputResponses });
    expect(body.error).toMatchObject({ code: -32003 });
    expect((await server.manager.getQuestion(question_id)).outcome).toBeNull();
  });

  test("a question for operators is refused with who must answer; the audit log says who tried", async () => {
    const { keyId, call } = await toolsOf();
    const { task_id } = await call("start_task", { task_type: "payout" });
    const { pending_question } = await call("poll_task", { task_id });
    const { question_id } = pending_question;
    const { error } = await call("respond_to_question", { task_id, question_id, answer: "yes" });
    expect(error).toMatchObject({
      code: "forbidden",
      next_step: expect.stringContaining("operator"),
    });
    const { items } = await server.manager.audit.list({ taskId: task_id, limit: 50 });
    const surfaces = items.map(({ action, surface, actor }) => [action, surface, actor?.id]);
    expect(surfaces).toContainEqual(["task.started", "mcp", keyId]);
    expect(surfaces).toContainEqual(["question.refused", "mcp", keyId]);
  });

  test("a revoked key ends its waiting poll at once", async () => {
    const { keyId, call } = await toolsOf();
    const { task_id } = await call("start_task", { task_type: "ask" });
    const { cursor } = await call("poll_task", { task_id });
    const waiting = call("poll_task", { task_id, since: cursor, timeout: 60 });
    while ((await server.manager.stats()).waitingPolls === 0) await pause();
    await server.identity.keys.revoke(keyId, somebody);
    expect((await waiting).error).toMatchObject({ code: "unauthorized" });
  });

  test("a revoked key ends its stream, and nothing of it is left", async () => {
    const { keyId, headers } = await server.agent();
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": takesTasks,
    };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const answer = await fetch(`${server.url}/api/mcp`, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }),
    });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const read = answer.text();
    await server.identity.keys.revoke(keyId, somebody);
    expect(await read).toContain("acknowledged");
    while (server.identity.openCalls.size > 0) await pause();
  });
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
