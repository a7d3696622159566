import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  cookieOf,
  type IdentityServer,
  password,
  somebody,
  startIdentityServer,
} from "../support/identity-server.ts";

let server: IdentityServer;
let page: { origin: string };

beforeAll(async () => {
  server = await startIdentityServer({
    register: (manager) => manager.registerTask("echo", (_ctx, params) => params),
  });
  page = { origin: `http://localhost:${server.port}` };
});

afterAll(() => server.close());

async function whoIs(headers: Record<string, string>) {
  const { status, body } = await server.send("/api/trpc/system.info", headers);
  return status === 200 ? JSON.parse(body).result.data : JSON.parse(body).error.data.code;
}

const signIn = (email: string, secret: string, headers: Record<string, string> = page) =>
  server.send("/api/auth/sign-in", headers, { email, password: secret });

describe("the set-up link", () => {
  test("makes the first admin, once, and no link made before works after that", async () => {
    const fresh = await startIdentityServer();
    const page = { origin: `http://localhost:${fresh.port}` };
    const [first, second] = [
      await fresh.identity.people.makeSetUpToken(),
      await fresh.identity.people.makeSetUpToken(),
    ] as [string, string];
    const stored = await (await fresh.store.identity()).listOpenLinks();
    expect(JSON.stringify(stored)).not.toContain(first);

    const seen = await fresh.send("/api/auth/link", page, { token: first });
    expect(JSON.parse(seen.body)).toMatchObject({ kind: "set_up", role: "admin" });
    const entrant = { token: first, name: "Ada", email: "Ada@Example.com", password };
    const wrongPage = await fresh.send("/api/auth/accept-invite", page, entrant);
    expect(wrongPage.status).toBe(401);
    const short = await fresh.send("/api/auth/set-up", page, { ...entrant, password: "short" });
    expect([short.status, JSON.parse(short.body).code]).toEqual([400, "invalid_input"]);

    const racing = await Promise.all(
      [first, second].map((token, i) =>
        fresh.send("/api/auth/set-up", page, { ...entrant, token, email: `a${i}@example.com` }),
      ),
    );
    // Two links, two people at the same moment: there is one first admin all the same.
    expect(fresh.identity.people.list().filter(({ role }) => role === "admin")).toHaveLength(1);
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 401]);
    for (const token of [first, second]) {
      const again = await fresh.send("/api/auth/set-up", page, { ...entrant, token });
      expect([again.status, JSON.parse(again.body).code]).toEqual([401, "unauthorized"]);
    }
    expect(await fresh.identity.people.makeSetUpToken()).toBeNull();
    expect(fresh.errors).toEqual([]);
    await fresh.close();
  });

  test("an admin in the settings is made once, and keeps a password that was changed", async () => {
    const fresh = await startIdentityServer();
    const { people } = fresh.identity;
    await people.ensureAdmin({ email: "Root@example.com", password });
    await people.ensureAdmin({ email: "root@example.com", password: "another password" });
    expect(people.list()).toMatchObject([{ email: "root@example.com", role: "admin" }]);
    const page = { origin: `http://localhost:${fresh.port}` };
    const given = { email: "root@example.com", password };
    expect((await fresh.send("/api/auth/sign-in", page, given)).status).toBe(200);
    expect(await people.makeSetUpToken()).toBeNull();
    const made = fresh.events.filter(({ kind }) => kind === "admin_ensured");
    expect(made).toMatchObject([{ details: { email: "root@example.com", role: "admin" } }]);
    await fresh.close();
  });
});

describe("signing in", () => {
  test("gives a session that says who it is, and ends with sign-out", async () => {
    const { email, userId } = await server.person("operator", ["ops"]);
    const signedIn = await signIn(email.toUpperCase(), password);
    expect(signedIn.status).toBe(200);
    const headers = { cookie: cookieOf(signedIn.headers), ...page };
    expect(await whoIs(headers)).toMatchObject({
      actor: { kind: "operator", id: userId, surface: "dashboard", address: "127.0.0.1" },
      role: "operator",
      groups: ["ops"],
      email,
      signIn: true,
    });
    const out = await server.send("/api/auth/sign-out", headers, {});
    expect(out.status).toBe(200);
    expect(String(out.headers["set-cookie"])).toMatch(/Max-Age=0/);
    expect(await whoIs(headers)).toBe("unauthorized");
    expect(server.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["invite_accepted", "signed_in", "signed_out"]),
    );
  });

  test("the cookie is out of reach of scripts and foreign pages, and for TLS only over TLS", async () => {
    const { email } = await server.person("viewer");
    const plain = await signIn(email, password);
    expect(String(plain.headers["set-cookie"])).toMatch(/HttpOnly/i);
    expect(String(plain.headers["set-cookie"])).toMatch(/SameSite=Lax/i);
    expect(String(plain.headers["set-cookie"])).not.toMatch(/Secure/);
    const tls = { origin: `https://localhost:${server.port}` };
    expect(String((await signIn(email, password, tls)).headers["set-cookie"])).toMatch(/; Secure/);
    const proxied = { "x-forwarded-proto": "https" };
    const behind = await signIn(email, password, proxied);
    expect(String(behind.headers["set-cookie"])).toMatch(/; Secure/);
  });

  test("a wrong password and an unknown address read the same", async () => {
    const { email } = await server.person("viewer");
    const wrong = await signIn(email, "not the password");
    const unknown = await signIn("nobody@example.com", "not the password");
    expect([wrong.status, wrong.body]).toEqual([401, unknown.body]);
    expect(wrong.headers["set-cookie"]).toBeUndefined();
  });

  test("nobody signs up without a link, and better-auth's own routes are not there", async () => {
    for (const path of [
      "sign-up/email",
      "sign-in/email",
      "get-session",
      "update-user",
      "delete-user",
      "request-password-reset",
    ]) {
      const body = { name: "Eve", email: "eve@example.com", password };
      expect([path, (await server.send(`/api/auth/${path}`, page, body)).status]).toEqual([
        path,
        404,
      ]);
    }
  });

  test("a session from before signing in is not the one after it (fixation)", async () => {
    const { email } = await server.person("viewer");
    const before = cookieOf((await signIn(email, password)).headers);
    const planted = await signIn(email, password, { ...page, cookie: before });
    const after = cookieOf(planted.headers);
    expect(after).not.toBe("");
    expect(after).not.toBe(before);
    const made = before.replace(/=.*/, "=chosen-by-an-attacker");
    const fixed = await signIn(email, password, { ...page, cookie: made });
    expect(cookieOf(fixed.headers)).not.toContain("chosen-by-an-attacker");
    expect(await whoIs({ cookie: made })).toBe("unauthorized");
  });

  test("a forged session is refused", async () => {
    const { headers } = await server.person("viewer");
    const cookie = headers.cookie as string;
    for (const forged of [cookie.slice(0, -3), `${cookie}x`, cookie.replace(/=.*/, "=")]) {
      expect(await whoIs({ cookie: forged })).toBe("unauthorized");
    }
  });

  test("a changed password ends the other sessions, and only the right one changes it", async () => {
    const { email, headers } = await server.person("operator");
    const other = { cookie: cookieOf((await signIn(email, password)).headers), ...page };
    expect(await whoIs(other)).toMatchObject({ email });
    const newPassword = "quite another password";
    const change = (currentPassword: string) =>
      server.send("/api/auth/change-password", headers, { currentPassword, newPassword });
    expect((await change("not this one")).status).toBe(400);
    const changed = await change(password);
    expect(changed.status).toBe(200);
    expect(await whoIs(other)).toBe("unauthorized");
    expect((await signIn(email, password)).status).toBe(401);
    expect((await signIn(email, newPassword)).status).toBe(200);
  });
});

describe("people", () => {
  test("an invite gives the role and groups its admin chose, whatever is sent", async () => {
    const invite = { email: "grace@example.com", role: "viewer" as const, groups: ["ops"] };
    const { token } = await server.identity.people.invite(invite, somebody);
    const entrant = { token, name: "Grace", email: "grace@example.com", password };
    const more = await server.send("/api/auth/accept-invite", page, { ...entrant, role: "admin" });
    expect(more.status).toBe(400);
    const { headers } = await server.send("/api/auth/accept-invite", page, entrant);
    const info = await whoIs({ cookie: cookieOf(headers) });
    expect(info).toMatchObject({ role: "viewer", groups: ["ops"] });
    expect((await server.send("/api/auth/accept-invite", page, entrant)).status).toBe(401);
  });

  test("a withdrawn invite lets nobody in", async () => {
    const { people } = server.identity;
    const wanted = { email: null, role: "admin" as const, groups: [] };
    const { token, invite } = await people.invite(wanted, somebody);
    await people.withdrawInvite(invite.linkId, somebody);
    const entrant = { token, name: "Eve", email: "eve@example.com", password };
    expect((await server.send("/api/auth/accept-invite", page, entrant)).status).toBe(401);
  });

  test("a change of role counts at once; who is shut out is out, keys and all", async () => {
    const admin = await server.person("admin");
    const target = await server.person("admin");
    const made = await server.send("/api/trpc/keys.make", target.headers, {
      name: "theirs",
      scopes: { start: "all", read: "own", answer: false, drive: false, metrics: false },
      expiresAt: null,
    });
    const { key } = JSON.parse(made.body).result.data;
    const agent = { authorization: `Bearer ${key}` };
    expect(await whoIs(agent)).toMatchObject({ actor: { keyOwnerId: target.userId } });

    const change = (body: object) =>
      server.send("/api/trpc/people.change", admin.headers, { userId: target.userId, ...body });
    await change({ role: "viewer" });
    expect((await server.send("/api/trpc/keys.list", target.headers)).status).toBe(403);
    // A key may no more than whoever made it.
    expect((await server.send("/api/v1/tasks", agent, { type: "echo" })).status).toBe(403);

    await change({ isDisabled: true });
    expect(await whoIs(target.headers)).toBe("unauthorized");
    expect(await whoIs(agent)).toBe("unauthorized");
    expect((await signIn(target.email, password)).status).toBe(401);
    await change({ isDisabled: false });
    expect((await signIn(target.email, password)).status).toBe(200);
    expect(await whoIs(agent)).toBe("unauthorized");
  });

  test("the last admin can be neither shut out nor made less", async () => {
    const fresh = await startIdentityServer();
    const { userId } = await fresh.person("admin");
    for (const change of [{ role: "operator" as const }, { isDisabled: true }]) {
      await expect(fresh.identity.changePerson(userId, change, somebody)).rejects.toThrow(
        "only admin",
      );
    }
    await fresh.close();
  });
});
