import { describe, expect, test } from "vitest";
import { createNodeServer } from "../server/node-server.ts";
import { type AnsweredRequest, createServerLog } from "../server/server-log.ts";
import { sendRequest } from "./support/send-request.ts";

describe("the log", () => {
  test("is one JSON object a line, with what belongs to the message beside it", () => {
    const lines: string[] = [];
    const log = createServerLog("info", (line) => lines.push(line));
    log.info("It began");
    log.warn("Odd\nname", { type: "echo", error: "no\nmore" });
    log.answered({
      requestId: "r",
      method: "GET",
      path: "/",
      status: 200,
      seconds: 0,
      address: null,
    });
    expect(lines.map((line) => line.endsWith("\n"))).toEqual([true, true]);
    const [began, odd] = lines.map((line) => JSON.parse(line));
    expect(began).toEqual({ level: "info", time: expect.any(String), message: "It began" });
    expect(new Date(began.time).toISOString()).toBe(began.time);
    expect(odd).toMatchObject({ level: "warn", message: "Odd\nname", type: "echo" });
    // A message cannot pretend to be two.
    expect(lines[1]?.trim()).not.toContain("\n");
  });
});

describe("requests", () => {
  test("have an id, the client's own if it is one, and are told when they are over", async () => {
    const told: AnsweredRequest[] = [];
    const origins: unknown[] = [];
    const server = createNodeServer({
      handleApi: async (_, origin) => {
        origins.push(origin?.requestId);
        return new Response("{}", { status: 201 });
      },
      access: { isKnownHost: () => true } as never,
      handlePage: (_, response) => response.end("a page"),
      log: { answered: (request) => told.push(request) },
    });
    const port = await server.listen(0, "127.0.0.1");
    const idOf = async (path: string, headers: Record<string, string> = {}) =>
      (await sendRequest({ port, path, headers })).headers["x-request-id"];
    const made = await idOf("/api/v1/tasks?text=private");
    expect(made).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf("/tasks", { "x-request-id": "edge:0123.abc" })).toBe("edge:0123.abc");
    for (const odd of ["short", "with space and more", `${"long".repeat(30)}`]) {
      expect(await idOf("/api/v1/tasks", { "x-request-id": odd })).toMatch(/^[0-9a-f-]{36}$/);
    }
    await server.close(1);
    expect(origins[0]).toBe(made);
    expect(told).toHaveLength(5);
    expect(told[0]).toEqual({
      requestId: made,
      method: "GET",
      path: "/api/v1/tasks",
      status: 201,
      seconds: expect.any(Number),
      address: "127.0.0.1",
    });
    expect(told[1]).toMatchObject({ requestId: "edge:0123.abc", path: "/tasks", status: 200 });
  });
});
