import { afterEach, describe, expect, test } from "vitest";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";
import { readStream, type StreamEvent } from "../support/read-stream.ts";

let server: IdentityServer;

afterEach(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

const start = (limits: { callsPerSecond?: number; maxOpenCalls?: number }) =>
  startIdentityServer({
    ...limits,
    register(manager) {
      manager.registerTask("ask", (ctx) => ctx.askCustomer("Go?"));
    },
  });

describe("calls a second", () => {
  test("one caller's flood is refused with Retry-After on each surface, and nobody else's calls", async () => {
    server = await start({ callsPerSecond: 2 });
    const flood = await server.agent();
    const other = await server.agent();
    const person = await server.person("operator");
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async () => {
        return (await server.send("/api/v1/tasks", flood.headers)).status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    for (const path of ["/api/v1/tasks", "/api/trpc/tasks.stats", "/api/mcp"]) {
      const body = path === "/api/mcp" ? { jsonrpc: "2.0", id: 1, method: "ping" } : undefined;
      const refused = await server.send(path, flood.headers, body);
      expect([path, refused.status]).toEqual([path, 429]);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
      expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(10);
      expect(refused.body).toMatch(/calls a second are too many.*poll with a timeout/);
    }
    expect((await server.send("/api/v1/tasks", other.headers)).status).toBe(200);
    expect((await server.send("/api/v1/tasks", person.headers)).status).toBe(200);
  });

  test("an address is limited before anybody looks at who calls", async () => {
    server = await start({ callsPerSecond: 1 });
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async (_, i) => {
        const path = ["/api/v1/tasks", "/api/health", "/api/session", "/api/auth/link"][i % 4];
        return (await server.send(path as string, {})).status;
      }),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });
});

describe("polls and streams open at once", () => {
  test("a key has so many and no more, over all surfaces; one that ends makes room", async () => {
    server = await start({ maxOpenCalls: 3 });
    const agent = await server.agent();
    const started = await server.send("/api/v1/tasks", agent.headers, { type: "ask" });
    const { taskId } = JSON.parse(started.body);
    const asked = `/api/v1/tasks/${taskId}/poll?waitFor=input_or_result`;
    const { cursor } = JSON.parse((await server.send(asked, agent.headers)).body);
    const path = `/api/v1/tasks/${taskId}/events`;
    const streams = [
      await readStream(server.url + path, agent.headers),
      await readStream(server.url + path, agent.headers),
    ];
    for (const { events } of streams) await events.next();
    const later = `${asked}&since=${cursor}`;
    const poll = server.send(`${later}&timeout=30`, agent.headers);
    const statusOfAnother = async () =>
      (await server.send(`${later}&timeout=0.01`, agent.headers)).status;
    await expect.poll(statusOfAnother).toBe(429);
    // A stream has begun by then, so it says so in its last event.
    const refused = await readStream(server.url + path, agent.headers);
    let last: StreamEvent | undefined;
    for await (const event of refused.events) last = event;
    expect(last?.event).toBe("problem");
    expect(JSON.parse(last?.data ?? "")).toMatchObject({ status: 429, code: "too_many_calls" });
    // Its owner is not held to what the key has open.
    const person = await server.person("operator");
    expect((await server.send(asked, person.headers)).status).toBe(200);
    for (const { close } of streams) close();
    await expect.poll(statusOfAnother).toBe(200);
    const cancel = await server.send(`/api/v1/tasks/${taskId}/cancel`, agent.headers, {});
    expect(cancel.status).toBe(200);
    expect((await poll).status).toBe(200);
  });
});
