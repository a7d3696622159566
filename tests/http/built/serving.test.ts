import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dataPolicy, securityHeaders } from "../../../server/security-headers.ts";
import { mainJobTests } from "../../support/main-job.ts";
import { readStream } from "../../support/read-stream.ts";
import { restClient } from "../../support/rest-client.ts";
import { sendRequest } from "../../support/send-request.ts";
import {
  type ServerProcess,
  servers,
  startServer,
  withDataDir,
} from "../../support/server-process.ts";

describe.each(Object.keys(servers) as (keyof typeof servers)[])(
  "the built program by %s",
  (kind) => {
    let server: ServerProcess;
    let end = () => {};
    let over: Promise<void>;

    beforeAll(async () => {
      const hasEnded = new Promise<void>((resolve) => {
        end = resolve;
      });
      await new Promise<void>((ready, fail) => {
        over = withDataDir(async (dataDir) => {
          server = await startServer(kind, { TOOLTHREAD_DATA_DIR: dataDir });
          ready();
          await hasEnded;
          await server.stop("SIGKILL");
        });
        over.catch(fail);
      });
    });

    afterAll(async () => {
      end();
      await over;
    });

    mainJobTests(() => server.url);

    test("pages are served", async () => {
      for (const path of ["/", "/tasks", "/start"]) {
        const response = await fetch(server.url + path);
        expect([path, response.status]).toEqual([path, 200]);
        expect(response.headers.get("content-type")).toMatch(/^text\/html/);
        expect(response.headers.get("x-powered-by")).toBeNull();
      }
      expect((await fetch(`${server.url}/nowhere`)).status).toBe(404);
    });

    test("a page runs only scripts that carry its own nonce, another one each time", async () => {
      const nonces = new Set<string>();
      for (const path of ["/", "/tasks", "/docs/api", "/nowhere", "/"]) {
        const response = await fetch(server.url + path);
        const policy = response.headers.get("content-security-policy") ?? "";
        const nonce = /script-src 'self' 'nonce-([\w+/=]{24})' 'strict-dynamic';/.exec(policy)?.[1];
        expect([path, nonce]).toEqual([path, expect.any(String)]);
        nonces.add(nonce as string);
        expect(policy).not.toMatch(/unsafe/);
        const page = await response.text();
        const scripts = page.match(/<script\b[^>]*>/g) ?? [];
        expect(scripts.length).toBeGreaterThan(3);
        for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
        expect(page).not.toMatch(/<[^>]+\son[a-z]+=/);
      }
      expect(nonces.size).toBe(5);
    });

    test("whatever is served says what browsers are to refuse", async () => {
      const page = await (await fetch(server.url)).text();
      const script = page.match(/\/_next\/static\/[\w./~-]+\.js/)?.[0] as string;
      for (const path of [
        "/",
        "/nowhere",
        script,
        "/service-worker.js",
        "/api/health",
        "/api/v1/x",
      ]) {
        const { headers } = await fetch(server.url + path);
        for (const [name, value] of Object.entries(securityHeaders)) {
          expect([path, name, headers.get(name)]).toEqual([path, name, value]);
        }
        // TLS would end at a proxy, and there is none.
        expect(headers.get("strict-transport-security")).toBeNull();
        if (path.startsWith("/api/")) {
          expect(headers.get("content-security-policy")).toBe(dataPolicy);
        }
      }
    });

    test.runIf(kind === "the project's server")(
      "behind a proxy that ends TLS, browsers are told to do without plain HTTP",
      async () => {
        await withDataDir(async (dataDir) => {
          const env = { TOOLTHREAD_DATA_DIR: dataDir, TOOLTHREAD_PROXIES: "1" };
          const proxied = await startServer(kind, env);
          const told = async (proto: string) =>
            (
              await fetch(`${proxied.url}/api/health`, { headers: { "x-forwarded-proto": proto } })
            ).headers.get("strict-transport-security");
          expect(await told("https")).toBe("max-age=31536000");
          // The last entry is our proxy's; what a client sent stands before it.
          expect(await told("https, http")).toBeNull();
          await proxied.stop();
        });
      },
    );

    test("scripts and styles are sent compressed, and kept by browsers for ever", async () => {
      const page = await (await fetch(server.url)).text();
      const paths = new Set(page.match(/\/_next\/static\/[\w./~-]+\.(?:js|css)/g));
      expect(paths.size).toBeGreaterThan(5);
      for (const path of paths) {
        // The program of our own has better than what Next can make while it answers.
        const accepts = kind === "the project's server" ? ["br", "gzip"] : ["gzip"];
        for (const encoding of accepts) {
          const response = await fetch(server.url + path, {
            headers: { "accept-encoding": encoding },
          });
          expect([path, response.status]).toEqual([path, 200]);
          expect(response.headers.get("cache-control")).toMatch(/max-age=31536000.*immutable/);
          expect(response.headers.get("vary")).toMatch(/Accept-Encoding/i);
          const { length } = await response.text();
          if (length > 2000) expect(response.headers.get("content-encoding")).toBe(encoding);
        }
      }
    });

    test("a real log is read, and the operator's choice is in the report", async () => {
      const rest = restClient(server.url);
      const params = { files: ["app.log"] };
      const { taskId } = (await rest.post("/tasks", { type: "analyze_logs", params })).body;
      const poll = (await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`)).body;
      expect(poll.pendingQuestion.multiple).toBe(true);
      const { questionId, choices } = poll.pendingQuestion;
      const answer = [choices[0].value];
      expect((await rest.post(`/questions/${questionId}/answer`, { answer })).status).toBe(200);
      const since = `since=${poll.cursor}&waitFor=input_or_result`;
      let done = (await rest.get(`/tasks/${taskId}/poll?${since}`)).body;
      while (done.result === null) {
        const next = `since=${done.cursor}&waitFor=input_or_result`;
        done = (await rest.get(`/tasks/${taskId}/poll?${next}`)).body;
      }
      expect(done.result).toMatchObject({ status: "completed", error: null });
    });

    test("streams arrive event by event, also for a client that asks for gzip", async () => {
      const stream = await readStream(`${server.url}/api/trpc/live.feed`, {
        "accept-encoding": "gzip, deflate, br",
      });
      expect(stream.response.headers.get("content-encoding")).toBeNull();
      expect(stream.response.headers.get("cache-control")).toContain("no-transform");
      expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
      await stream.events.next();
      await stream.events.next();
      const rest = restClient(server.url);
      const { taskId } = (await rest.post("/tasks", { type: "deploy", params: { pace: 0 } })).body;
      for await (const { data } of stream.events) {
        const message = data === "" ? null : JSON.parse(data);
        // The task waits for an answer, so this event came while its stream goes on.
        if (message?.event?.kind === "question_opened" && message.event.taskId === taskId) break;
      }
      stream.close();
      await rest.post(`/tasks/${taskId}/cancel`);
    });

    test("a poll ends when its client goes away", async () => {
      const rest = restClient(server.url);
      const { taskId } = (await rest.post("/tasks", { type: "deploy", params: { pace: 0 } })).body;
      const { cursor } = (await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`)).body;
      const waitingPolls = async () => {
        const response = await fetch(`${server.url}/api/trpc/tasks.stats`);
        return (await response.json()).result.data.waitingPolls as number;
      };
      const abort = new AbortController();
      const poll = fetch(`${server.url}/api/v1/tasks/${taskId}/poll?timeout=50&since=${cursor}`, {
        signal: abort.signal,
      });
      await expect.poll(waitingPolls, { timeout: 5000 }).toBe(1);
      abort.abort();
      await expect(poll).rejects.toThrow();
      await expect.poll(waitingPolls, { timeout: 5000 }).toBe(0);
      await rest.post(`/tasks/${taskId}/cancel`);
    });

    test("limits, hosts and origins are the same", async () => {
      const json = { "content-type": "application/json" };
      const post = { port: server.port, path: "/api/v1/tasks", method: "POST" };
      const statusOf = async (headers: Record<string, string>, body: string) =>
        (await sendRequest({ ...post, headers, body })).status;
      const start = JSON.stringify({ type: "deploy", params: { pace: 0, issues: 0 } });
      expect(await statusOf(json, start)).toBe(201);
      expect(await statusOf(json, "{")).toBe(400);
      expect(await statusOf({ ...json, host: "evil.example" }, start)).toBe(421);
      expect(await statusOf({ ...json, origin: "http://evil.example" }, start)).toBe(403);
      expect(await statusOf({}, start)).toBe(415);
      const big = JSON.stringify({ type: "deploy", params: "x".repeat(1024 * 1024) });
      const response = await fetch(`${server.url}/api/v1/tasks`, {
        method: "POST",
        headers: json,
        body: big,
      });
      expect([response.status, (await response.json()).code]).toEqual([413, "too_large"]);
      const refused = await fetch(`${server.url}/api/v1/nope`, { method: "PUT" });
      expect([refused.status, (await refused.json()).code]).toEqual([404, "unknown_route"]);
    });

    // Next's own server takes every upgrade, and leaves open what it does not know.
    test.skipIf(kind === "plain next start")("an upgrade is a request like any other", async () => {
      const upgrade = { connection: "Upgrade", upgrade: "websocket" };
      const port = Number(new URL(server.url).port);
      for (const path of ["/nowhere", "/_next/webpack-hmr", "/api/nowhere"]) {
        const response = await sendRequest({ port, path, headers: upgrade });
        expect([path, response.status]).toEqual([path, 404]);
      }
      const headers = { ...upgrade, host: "evil.example" };
      expect((await sendRequest({ port, path: "/tasks", headers })).status).toBe(421);
    });

    test("a signal ends it in order: polls are answered first", async () => {
      await withDataDir(async (dataDir) => {
        const other = await startServer(kind, { TOOLTHREAD_DATA_DIR: dataDir });
        const rest = restClient(other.url);
        const { taskId } = (await rest.post("/tasks", { type: "deploy", params: { pace: 0 } }))
          .body;
        const { cursor } = (await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`)).body;
        const stream = await readStream(`${other.url}/api/trpc/live.feed`);
        const poll = rest.get(`/tasks/${taskId}/poll?timeout=50&since=${cursor}`);
        await new Promise((resolve) => setTimeout(resolve, 300));
        const began = performance.now();
        const stopped = other.stop("SIGTERM");
        expect(await poll).toMatchObject({ status: 200, body: { status: "waiting_for_input" } });
        expect(performance.now() - began).toBeLessThan(10_000);
        const last = [];
        for await (const { event } of stream.events) last.push(event);
        // Told that nothing more will come, a client would not come back.
        expect(last).not.toContain("return");
        // Next tells its parent by which signal it ended.
        expect(await stopped).toBe(kind === "plain next start" ? 143 : 0);
        expect(performance.now() - began).toBeLessThan(20_000);

        const again = await startServer(kind, { TOOLTHREAD_DATA_DIR: dataDir });
        const resumed = (await restClient(again.url).get(`/tasks/${taskId}`)).body;
        expect(resumed.task).toMatchObject({ status: "waiting_for_input", openQuestions: 1 });
        await again.stop("SIGKILL");
      });
    });
  },
);
