import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { QuestionOptions } from "../../server/core/task-context.ts";
import { checkEndpoint, isInside } from "../../server/push/push-post.ts";
import { type IdentityServer, somebody, startIdentityServer } from "../support/identity-server.ts";

interface Asked {
  prompt: string;
  options: QuestionOptions;
}

interface Delivery {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let server: IdentityServer;
let service: Server;
let deliveries: Delivery[];
/** What the push service answers next; 201 when there is nothing. */
let answers: number[];

beforeEach(async () => {
  deliveries = [];
  answers = [];
  service = createServer(async (request, response) => {
    const { url: path = "", headers } = request;
    deliveries.push({ path, headers, body: await buffer(request) });
    response.writeHead(answers.shift() ?? 201).end();
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  server = await startIdentityServer({
    // The service is on this machine, which no real one is, and has no TLS.
    push: {
      checkEndpoint: () => {},
      post: async ({ endpoint, headers, body }) =>
        (await fetch(endpoint, { method: "POST", headers, body: new Uint8Array(body) })).status,
    },
    register: (manager) => {
      manager.registerTask("ask", (ctx, { prompt, options }: Asked) =>
        ctx.askCustomer(prompt, options),
      );
    },
  });
});

afterEach(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
  await new Promise((resolve) => service.close(resolve));
});

/** A browser with keys of its own, as a push service knows it. */
function browser(name: string, wish: object = {}) {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  const auth = randomBytes(16);
  const { port } = service.address() as AddressInfo;
  return {
    path: `/${name}`,
    put: {
      endpoint: `http://127.0.0.1:${port}/${name}`,
      keys: { p256dh: keys.getPublicKey("base64url"), auth: auth.toString("base64url") },
      urgencies: ["low", "normal", "high"],
      types: null,
      ...wish,
    },
    /** RFC 8291: what was sent, as only this browser can read it. */
    read(body: Buffer): unknown {
      const salt = body.subarray(0, 16);
      const sender = body.subarray(21, 21 + (body[20] ?? 0));
      const sealed = body.subarray(21 + sender.length);
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), sender]);
      const secret = Buffer.from(hkdfSync("sha256", keys.computeSecret(sender), auth, info, 32));
      const derive = (what: string, length: number) =>
        Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${what}\0`, length));
      const cipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
      cipher.setAuthTag(sealed.subarray(-16));
      const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
    },
  };
}

type Headers = Record<string, string>;

async function put(headers: Headers, wish: object): Promise<number> {
  return (await server.send("/api/trpc/push.put", headers, wish)).status;
}

const ask = (prompt: string, options: QuestionOptions = {}) =>
  server.manager.startTask("ask", { prompt, options });

const delivered = (count: number) =>
  vi.waitFor(() => expect(deliveries).toHaveLength(count), { timeout: 15_000 });

test("a question is told to a person's browser, encrypted, for as long as it can be answered", async () => {
  const ann = await server.person("operator");
  const phone = browser("phone");
  expect(await put(ann.headers, phone.put)).toBe(200);
  const taskId = await ask("Deploy **now**?", {
    choices: ["yes", "no"],
    urgency: "high",
    timeout: 600,
  });
  await delivered(1);
  const [{ path, headers, body } = {} as Delivery] = deliveries;
  expect(path).toBe("/phone");
  expect(headers).toMatchObject({ urgency: "high", "content-encoding": "aes128gcm" });
  expect(headers.authorization).toMatch(/^vapid t=[\w.-]+, k=[\w-]+$/);
  expect(headers.topic).toMatch(/^[\w-]{32}$/);
  expect(Number(headers.ttl)).toBeGreaterThan(500);
  expect(Number(headers.ttl)).toBeLessThanOrEqual(600);
  expect(body.includes("Deploy")).toBe(false);
  expect(phone.read(body)).toEqual({
    questionId: expect.any(String),
    taskId,
    title: "Urgent: ask asks",
    body: "Deploy now?",
    urgency: "high",
    answers: [
      { label: "yes", answer: "yes" },
      { label: "no", answer: "no" },
    ],
  });
});

test("people are told of what they want to hear of, and of nothing they may not answer", async () => {
  const [ann, ben, viewer] = [
    await server.person("operator"),
    await server.person("operator"),
    await server.person("viewer"),
  ];
  await put(ann.headers, browser("urgent-only", { urgencies: ["high"] }).put);
  await put(ann.headers, browser("other-types", { types: ["deploy"] }).put);
  await put(ben.headers, browser("all").put);
  await put(viewer.headers, browser("viewer").put);
  await ask("Normal?");
  await delivered(1);
  await ask("Urgent?", { urgency: "high" });
  await delivered(3);
  const paths = deliveries.map(({ path }) => path);
  expect(paths[0]).toBe("/all");
  expect(paths.slice(1).sort()).toEqual(["/all", "/urgent-only"]);
});

test("a browser that is gone, or signed out, is told no more", async () => {
  const [ann, ben] = [await server.person("operator"), await server.person("operator")];
  const gone = browser("gone");
  await put(ann.headers, gone.put);
  answers = [410];
  await ask("One?");
  await delivered(1);
  const targets = await server.store.pushTargets();
  await vi.waitFor(async () =>
    expect(await targets.list("2026-01-01T00:00:00.000000Z")).toEqual([]),
  );

  await put(ben.headers, browser("bens").put);
  await server.send("/api/auth/sign-out", ben.headers, {});
  await put(ann.headers, browser("anns").put);
  await ask("Two?");
  await delivered(2);
  expect(deliveries[1]?.path).toBe("/anns");
});

test("who is shut out or may not answer any more is told no more", async () => {
  const [out, less, ann] = [
    await server.person("operator"),
    await server.person("operator"),
    await server.person("operator"),
  ];
  for (const [name, { headers }] of Object.entries({ out, less, ann })) {
    await put(headers, browser(name).put);
  }
  await server.identity.changePerson(out.userId, { isDisabled: true }, somebody);
  await server.identity.changePerson(less.userId, { role: "viewer" }, somebody);
  await ask("One?");
  await delivered(1);
  await ask("Two?");
  await delivered(2);
  expect(deliveries.map(({ path }) => path)).toEqual(["/ann", "/ann"]);
});

test("a push service that is busy is asked again", async () => {
  const ann = await server.person("operator");
  await put(ann.headers, browser("phone").put);
  answers = [503];
  await ask("Go on?");
  await delivered(2);
});

test("a person's browsers are theirs, and no program's", async () => {
  const [ann, ben] = [await server.person("operator"), await server.person("operator")];
  const agent = await server.agent();
  const { put: wish } = browser("phone");
  expect(await put(agent.headers, wish)).toBe(403);
  expect(await put(ann.headers, wish)).toBe(200);
  const { endpoint } = wish;
  expect((await server.send("/api/trpc/push.remove", ben.headers, { endpoint })).status).toBe(200);
  await ask("One?");
  await delivered(1);
  expect((await server.send("/api/trpc/push.remove", ann.headers, { endpoint })).status).toBe(200);
  const targets = await server.store.pushTargets();
  expect(await targets.list("2026-01-01T00:00:00.000000Z")).toEqual([]);
  expect(await put(ann.headers, { ...wish, keys: { p256dh: "none", auth: "none" } })).toBe(400);
});

test("an endpoint is a service on the internet, over TLS: no door of the server's own network", () => {
  for (const endpoint of [
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
  ]) {
    expect(() => checkEndpoint(endpoint)).not.toThrow();
  }
  for (const endpoint of [
    "http://fcm.googleapis.com/x",
    "https://localhost/x",
    "https://intranet/x",
    "https://127.0.0.1/x",
    "https://2130706433/x",
    "https://[::1]/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://169.254.169.254/latest/meta-data",
    "https://me@fcm.googleapis.com/x",
    "file:///etc/passwd",
    "nothing",
  ]) {
    expect(() => checkEndpoint(endpoint), endpoint).toThrow(/https URL of a push service/);
  }
  expect(["10.1.2.3", "192.168.0.1", "fd00::1", "fe80::1", "0.0.0.0"].map(isInside)).toEqual(
    Array.from({ length: 5 }, () => true),
  );
  expect(["8.8.8.8", "2607:f8b0::1"].map(isInside)).toEqual([false, false]);
});
