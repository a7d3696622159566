import { afterAll, beforeAll, expect, test } from "vitest";
import {
  cookieOf,
  type IdentityServer,
  somebody,
  startIdentityServer,
} from "../support/identity-server.ts";
import { SoftPasskey } from "../support/soft-passkey.ts";

type Headers = Record<string, string>;

let server: IdentityServer;
let page: { origin: string };

beforeAll(async () => {
  server = await startIdentityServer();
  page = { origin: `http://localhost:${server.port}` };
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

async function post(path: string, headers: Headers = page, body: object = {}) {
  const {
    status,
    body: text,
    headers: answered,
  } = await server.send(`/api/auth/${path}`, headers, body);
  return { status, body: JSON.parse(text), cookie: cookieOf(answered) };
}

/** Adds a passkey to whose session this is. */
async function add(headers: Headers, name = "laptop") {
  const passkey = new SoftPasskey();
  const { options, state } = (await post("passkeys/begin", headers)).body;
  const response = passkey.register({ ...options, origin: page.origin });
  const added = await post("passkeys/add", headers, { name, state, response });
  expect(added.status).toBe(200);
  return { passkey, passkeyId: added.body.passkey.passkeyId as string };
}

async function signIn(passkey: SoftPasskey, change: object = {}) {
  const { options, state } = (await post("passkey/begin")).body;
  const response = passkey.answer({ ...options, origin: page.origin, ...change });
  return { ...(await post("passkey/sign-in", page, { state, response })), state, response };
}

test("a passkey signs its owner in, with a session of its own, and the log says how", async () => {
  const { userId, headers } = await server.person("viewer");
  const { passkey } = await add(headers);
  const { status, cookie } = await signIn(passkey);
  expect(status).toBe(200);
  expect(cookie).not.toBe(headers.cookie);
  const info = await server.send("/api/trpc/system.info", { ...page, cookie });
  expect(JSON.parse(info.body).result.data).toMatchObject({ actor: { id: userId } });
  expect(server.events.slice(-2)).toMatchObject([
    { kind: "passkey_added", actor: { id: userId }, details: { name: "laptop" } },
    { kind: "signed_in", actor: { id: userId }, details: { method: "passkey" } },
  ]);
  const { passkeys } = (await post("own-ways", headers)).body;
  expect(passkeys).toMatchObject([{ name: "laptop", lastUsedAt: expect.any(String) }]);
  expect(JSON.stringify(passkeys)).not.toMatch(/publicKey|credential/);
});

test("an answer counts once, for this origin, with its owner verified, and by its own key", async () => {
  const { headers } = await server.person("viewer");
  const { passkey } = await add(headers);
  const first = await signIn(passkey);
  expect(first.status).toBe(200);
  const replayed = await post("passkey/sign-in", page, {
    state: first.state,
    response: first.response,
  });
  expect(replayed.status).toBe(401);
  // A new question and an old answer.
  const { state } = (await post("passkey/begin")).body;
  const stale = await post("passkey/sign-in", page, { state, response: first.response });
  expect(stale.status).toBe(401);
  expect((await signIn(passkey, { origin: "http://evil.example" })).status).toBe(401);
  expect((await signIn(passkey, { isVerified: false })).status).toBe(401);
  expect((await signIn(new SoftPasskey())).status).toBe(401);
  const forger = new SoftPasskey();
  Object.assign(forger, { credentialId: passkey.credentialId });
  expect((await signIn(forger)).status).toBe(401);
  // A copy of the key has counted less than the one that was used since.
  passkey.counter = 0;
  expect((await signIn(passkey)).status).toBe(401);
  passkey.counter = 10;
  expect((await signIn(passkey)).status).toBe(200);
});

test("a state is good for its purpose and its person only", async () => {
  const [ann, ben] = [await server.person("viewer"), await server.person("viewer")];
  const own = (await post("passkeys/begin", ann.headers)).body;
  const passkey = new SoftPasskey();
  const response = passkey.register({ ...own.options, origin: page.origin });
  const given = { name: "x", state: own.state, response };
  expect((await post("passkeys/add", ben.headers, given)).status).toBe(401);
  expect((await post("passkeys/add", ann.headers, given)).status).toBe(401);
  const forSignIn = (await post("passkey/begin")).body;
  const swapped = passkey.register({ ...forSignIn.options, origin: page.origin });
  const crossed = { name: "x", state: forSignIn.state, response: swapped };
  expect((await post("passkeys/add", ann.headers, crossed)).status).toBe(401);
  const forged = `${Buffer.from('{"state":{},"until":9e15,"id":"x"}').toString("base64url")}.AAAA`;
  expect((await post("passkeys/add", ann.headers, { ...given, state: forged })).status).toBe(401);
  const weak = (await post("passkeys/begin", ann.headers)).body;
  const unverified = passkey.register({ ...weak.options, origin: page.origin, isVerified: false });
  const refused = await post("passkeys/add", ann.headers, {
    name: "x",
    state: weak.state,
    response: unverified,
  });
  expect([refused.status, refused.body.code]).toEqual([400, "invalid_input"]);
  expect((await post("own-ways", ann.headers)).body.passkeys).toEqual([]);
});

test("nobody touches the passkeys of others, and a page of another origin none", async () => {
  const [ann, ben] = [await server.person("viewer"), await server.person("admin")];
  const { passkey, passkeyId } = await add(ann.headers);
  for (const [path, body] of [
    ["passkeys/rename", { passkeyId, name: "mine now" }],
    ["passkeys/remove", { passkeyId }],
  ] as const) {
    expect((await post(path, ben.headers, body)).status).toBe(404);
    const foreign = { ...ann.headers, origin: "http://evil.example" };
    expect((await post(path, foreign, body)).status).toBe(403);
  }
  expect((await post("passkeys/begin", { ...page })).status).toBe(401);
  expect((await post("own-ways", ann.headers)).body.passkeys).toMatchObject([{ name: "laptop" }]);
  expect((await post("passkeys/rename", ann.headers, { passkeyId, name: "desk" })).status).toBe(
    200,
  );
  expect((await post("passkeys/remove", ann.headers, { passkeyId })).status).toBe(200);
  expect((await signIn(passkey)).status).toBe(401);
  expect(server.events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["passkey_renamed", "passkey_removed"]),
  );
});

test("a person who was shut out has no way in by a passkey", async () => {
  const { headers, userId } = await server.person("operator");
  const { passkey } = await add(headers);
  await server.identity.changePerson(userId, { isDisabled: true }, somebody);
  expect((await signIn(passkey)).status).toBe(401);
  await server.identity.changePerson(userId, { isDisabled: false }, somebody);
  expect((await signIn(passkey)).status).toBe(200);
});

test("a session of more than an hour ago adds nothing that outlasts it", async () => {
  const { headers, userId } = await server.person("viewer");
  const client = (await server.store.identity()).client as {
    session: { updateMany(query: object): Promise<unknown> };
  };
  const createdAt = new Date(Date.now() - 2 * 3600 * 1000);
  await client.session.updateMany({ where: { userId }, data: { createdAt } });
  const refused = await post("passkeys/begin", headers);
  expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
});

test("where the server is called by its address there are no passkeys, and it says why", async () => {
  const origin = `http://127.0.0.1:${server.port}`;
  const { status, body } = await server.send(
    "/api/auth/passkey/begin",
    { origin, host: origin.slice("http://".length) },
    {},
  );
  expect([status, JSON.parse(body).detail]).toEqual([
    400,
    expect.stringContaining("by its address"),
  ]);
});

test("guessing is limited", async () => {
  const fresh = await startIdentityServer();
  const own = { origin: `http://localhost:${fresh.port}` };
  const statuses: number[] = [];
  for (let i = 0; i < 22; i += 1) {
    const { body } = await fresh.send("/api/auth/passkey/begin", own, {});
    const { options, state } = JSON.parse(body);
    const response = new SoftPasskey().answer({ ...options, origin: own.origin });
    statuses.push((await fresh.send("/api/auth/passkey/sign-in", own, { state, response })).status);
  }
  expect(new Set(statuses.slice(0, 20))).toEqual(new Set([401]));
  expect(statuses.slice(20)).toEqual([429, 429]);
  await fresh.close();
});
