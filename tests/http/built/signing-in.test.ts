import { expect, test } from "vitest";
import {
  freePort,
  runServer,
  servers,
  startServer,
  withDataDir,
} from "../../support/server-process.ts";

const password = "a password for tests";
const kinds = Object.keys(servers) as (keyof typeof servers)[];

async function post(url: string, path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, ...headers },
    body: JSON.stringify(body),
  });
  const cookie = response.headers.getSetCookie().map((set) => set.split(";")[0]);
  return { status: response.status, cookie: cookie.join("; "), body: await response.json() };
}

test.each(kinds)(
  "%s prints a set-up link, shows no page without a session, and keeps sessions",
  (kind) =>
    withDataDir(async (dataDir) => {
      const env = {
        TOOLTHREAD_AUTH: "",
        TOOLTHREAD_DATA_DIR: dataDir,
        PORT: String(await freePort()),
      };
      const first = await startServer(kind, env);
      const token = /\/set-up#(\S+)/.exec(first.output())?.[1];
      // Nothing of ours stands below the link that could push it out of sight; Next says when it likes.
      if (kind === "the project's server") {
        expect(first.output().trimEnd()).toMatch(/\/set-up#\S+\n[^\n]*\n[^\n]*\n\n=+$/);
      }
      for (const path of ["/", "/tasks", "/tasks/task_1", "/keys", "/start?type=deploy", "/none"]) {
        const page = await fetch(first.url + path, { redirect: "manual" });
        expect([path, page.status]).toEqual([path, 307]);
        expect(page.headers.get("location")).toContain("/sign-in");
      }
      for (const path of ["/sign-in", "/set-up", "/invite"]) {
        expect([path, (await fetch(first.url + path)).status]).toEqual([path, 200]);
      }
      const entrant = { token, name: "Ada", email: "ada@example.com", password };
      const made = await post(first.url, "/api/auth/set-up", entrant);
      expect(made.status).toBe(200);
      const headers = { cookie: made.cookie };
      expect((await fetch(`${first.url}/tasks`, { headers, redirect: "manual" })).status).toBe(200);
      const started = await post(first.url, "/api/v1/tasks", { type: "deploy" }, headers);
      expect(started.status).not.toBe(401);
      await first.stop();

      const second = await startServer(kind, env);
      expect(second.output()).not.toContain("/set-up#");
      const info = await fetch(`${second.url}/api/trpc/system.info`, { headers });
      expect((await info.json()).result.data).toMatchObject({ role: "admin" });
      await second.stop("SIGKILL");
    }),
);

test("an admin and a key in the settings are there after the start, and no link is printed", () =>
  withDataDir(async (dataDir) => {
    const server = await startServer("the project's server", {
      TOOLTHREAD_AUTH: "",
      TOOLTHREAD_DATA_DIR: dataDir,
      TOOLTHREAD_ADMIN_EMAIL: "root@example.com",
      TOOLTHREAD_ADMIN_PASSWORD: password,
      TOOLTHREAD_API_KEY: "a-key-of-a-container",
    });
    expect(server.output()).not.toContain("/set-up#");
    const given = { email: "root@example.com", password };
    expect((await post(server.url, "/api/auth/sign-in", given)).status).toBe(200);
    const key = { authorization: "Bearer a-key-of-a-container" };
    expect((await fetch(`${server.url}/api/v1/tasks`, { headers: key })).status).toBe(200);
    expect((await fetch(`${server.url}/api/v1/tasks`)).status).toBe(401);
    expect(server.output()).not.toContain(password);
    await server.stop("SIGKILL");
  }));

test("TOOLTHREAD_AUTH=none is said loudly, and starts on no address but loopback", () =>
  withDataDir(async (dataDir) => {
    const env = { TOOLTHREAD_AUTH: "none", TOOLTHREAD_DATA_DIR: dataDir };
    const server = await startServer("the project's server", env);
    expect(server.output()).toContain("TOOLTHREAD_AUTH=none: nobody signs in.");
    await server.stop("SIGKILL");
    const PORT = String(await freePort());
    const open = runServer(servers["the project's server"](), { ...env, PORT, HOST: "0.0.0.0" });
    expect(await open.ended).toBe(1);
    expect(open.output()).toContain("loopback HOST only");

    // Next listens on every address unless it is told otherwise.
    const next = runServer(["node_modules/next/dist/bin/next", "start", "-p", PORT], {
      ...env,
      PORT,
    });
    await expect.poll(() => next.output(), { timeout: 30_000 }).toContain("start it with -H");
    const answer = await fetch(`http://127.0.0.1:${PORT}/api/v1/tasks`).catch(() => null);
    expect(answer?.status ?? 500).toBeGreaterThanOrEqual(500);
    await next.stop("SIGKILL");
  }));
