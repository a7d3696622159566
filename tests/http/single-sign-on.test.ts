import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type IdentityServer,
  password,
  somebody,
  startIdentityServer,
} from "../support/identity-server.ts";
import { type OidcServer, startOidcServer } from "../support/oidc-server.ts";

let oidc: OidcServer;
let server: IdentityServer;
let home: string;

async function start(settings: { role?: "viewer" | "operator" | "admin"; groupsClaim?: string }) {
  const { issuer, clientId, clientSecret } = oidc;
  const made = await startIdentityServer({
    signOn: {
      issuer,
      clientId,
      clientSecret,
      name: "Example ID",
      role: settings.role ?? null,
      groupsClaim: settings.groupsClaim ?? null,
      scopes: "openid email profile groups",
    },
  });
  oidc.admit(`http://localhost:${made.port}/api/auth/oidc/callback`);
  return made;
}

beforeAll(async () => {
  oidc = await startOidcServer();
  server = await start({});
  home = `http://localhost:${server.port}`;
  await server.person("admin");
});

afterAll(async () => {
  await server.close();
  await oidc.close();
});

/** A browser: keeps cookies by origin and path, and follows redirects one at a time. */
class Browser {
  readonly #jar = new Map<string, { value: string; path: string }>();

  cookies(url: string): string {
    const { origin, pathname } = new URL(url);
    return [...this.#jar]
      .filter(([key, { path }]) => key.startsWith(`${origin} `) && pathname.startsWith(path))
      .map(([key, { value }]) => `${key.slice(origin.length + 1)}=${value}`)
      .join("; ");
  }

  async send(url: string, body?: object) {
    const { origin } = new URL(url);
    const cookie = this.cookies(url);
    const response = await fetch(url, {
      redirect: "manual",
      headers: {
        ...(cookie !== "" && { cookie }),
        ...(body && { "content-type": "application/json", origin }),
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; *path=([^;]+)/i.exec(line)?.[1] ?? "/";
      if (value === "" || /max-age=0/i.test(line)) this.#jar.delete(`${origin} ${name}`);
      else this.#jar.set(`${origin} ${name}`, { value, path });
    }
    return response;
  }

  async begin(next = "/tasks", way: "begin" | "connect" = "begin") {
    const body = way === "begin" ? { next } : {};
    const response = await this.send(`${home}/api/auth/oidc/${way}`, body);
    return { status: response.status, url: (await response.json()).url as string };
  }

  /** Goes to the provider and comes back to the address that holds its answer. */
  async answerOf(url: string): Promise<string> {
    let at = url;
    for (let hop = 0; hop < 10 && !at.startsWith(home); hop += 1) {
      const location = (await this.send(at)).headers.get("location");
      at = new URL(location ?? "/stuck", at).href;
    }
    return at;
  }

  /** @returns where one ends up: a path. */
  async signOn(next?: string, way?: "begin" | "connect"): Promise<string> {
    const { url } = await this.begin(next, way);
    return this.land(await this.answerOf(url));
  }

  async land(answer: string): Promise<string> {
    const response = await this.send(answer);
    expect(response.status).toBe(303);
    return response.headers.get("location") as string;
  }

  async whoAmI() {
    const response = await this.send(`${home}/api/trpc/system.info`);
    return response.status === 200 ? (await response.json()).result.data : response.status;
  }
}

const refused = (reason: string, next = "/tasks") =>
  `/sign-in?${new URLSearchParams({ refused: reason, next })}`;

async function invited(email: string, role: "viewer" | "operator" = "operator", groups = ["ops"]) {
  await server.identity.people.invite({ email, role, groups }, somebody);
}

describe("who is let in", () => {
  test("an invited person, with the invite's role and groups, once; and again without one", async () => {
    await invited("Ida@Example.com");
    oidc.signInAs({ sub: "ida", email: "ida@example.com", email_verified: true, name: "Ida" });
    const browser = new Browser();
    expect(await browser.signOn("/tasks?status=failed")).toBe("/tasks?status=failed");
    const me = await browser.whoAmI();
    expect(me).toMatchObject({ email: "ida@example.com", role: "operator", groups: ["ops"] });
    expect(me.actor.name).toBe("Ida");
    // The address may change there; who they are does not.
    oidc.signInAs({ sub: "ida", email: "ida@elsewhere.example", email_verified: false });
    const again = new Browser();
    expect(await again.signOn()).toBe("/tasks");
    expect((await again.whoAmI()).actor.id).toBe(me.actor.id);
    expect(await server.identity.people.findInviteFor("ida@example.com")).toBeNull();
    expect(server.events.filter(({ kind }) => kind === "signed_in").at(-1)).toMatchObject({
      actor: { id: me.actor.id },
      details: { method: "single sign-on" },
    });
  });

  test("nobody who was not invited, whose address is not verified, or who tells none", async () => {
    await invited("ned@example.com");
    for (const [sub, claims, reason] of [
      ["una", { email: "una@example.com", email_verified: true }, "not_invited"],
      ["ned", { email: "ned@example.com", email_verified: false }, "email_not_verified"],
      ["ned", { email: "ned@example.com" }, "email_not_verified"],
      ["nil", { name: "Nil" }, "email_missing"],
    ] as const) {
      oidc.signInAs({ sub, ...claims });
      const browser = new Browser();
      expect(await browser.signOn()).toBe(refused(reason));
      expect(await browser.whoAmI()).toBe(401);
      expect(server.events.at(-1)).toMatchObject({
        kind: "sign_in_failed",
        details: { method: "single sign-on", why: reason },
      });
    }
    expect(server.identity.people.findByEmail("ned@example.com")).toBeNull();
  });

  test("nobody into an account with a password, also when the provider says it is their address", async () => {
    const { email, headers, userId } = await server.person("admin");
    oidc.signInAs({ sub: "thief", email, email_verified: true });
    const thief = new Browser();
    expect(await thief.signOn()).toBe(refused("has_account"));
    expect(await thief.whoAmI()).toBe(401);
    expect(await server.identity.people.waysIn(userId)).toEqual(["credential"]);
    expect((await server.send("/api/auth/sessions", headers, {})).status).toBe(200);
  });

  test("nobody who was shut out, and their sessions end with that", async () => {
    await invited("sid@example.com");
    oidc.signInAs({ sub: "sid", email: "sid@example.com", email_verified: true });
    const browser = new Browser();
    await browser.signOn();
    const userId = (await browser.whoAmI()).actor.id;
    await server.identity.changePerson(userId, { isDisabled: true }, somebody);
    expect(await browser.whoAmI()).toBe(401);
    expect(await browser.signOn()).toBe(refused("shut_out"));
    expect(await browser.whoAmI()).toBe(401);
  });

  test("one person, whoever is faster, when two windows come back at once", async () => {
    await invited("ty@example.com");
    oidc.signInAs({ sub: "ty", email: "ty@example.com", email_verified: true });
    const windows = [new Browser(), new Browser()];
    const answers = await Promise.all(
      windows.map(async (window) => window.answerOf((await window.begin()).url)),
    );
    const ends = await Promise.all(windows.map((window, i) => window.land(answers[i] as string)));
    expect(ends).toEqual(["/tasks", "/tasks"]);
    const [one, two] = await Promise.all(windows.map((window) => window.whoAmI()));
    expect(one.actor.id).toBe(two.actor.id);
  });
});

describe("an account with a password", () => {
  async function signedIn() {
    const { email, userId } = await server.person("operator");
    const browser = new Browser();
    await browser.send(`${home}/api/auth/sign-in`, { email, password });
    return { browser, userId, email };
  }

  test("is connected by its owner, signed in, and disconnected again", async () => {
    const { browser, userId } = await signedIn();
    oidc.signInAs({ sub: "connie", email: "other@example.com" });
    expect(await browser.signOn("/", "connect")).toBe("/account");
    const elsewhere = new Browser();
    expect(await elsewhere.signOn()).toBe("/tasks");
    expect((await elsewhere.whoAmI()).actor.id).toBe(userId);
    const ways = await (await browser.send(`${home}/api/auth/own-ways`, {})).json();
    expect(ways).toMatchObject({
      hasPassword: true,
      signOn: { name: "Example ID", isConnected: true },
    });
    await browser.send(`${home}/api/auth/oidc/disconnect`, {});
    expect(await new Browser().signOn()).toBe(refused("email_not_verified"));
    const kinds = server.events.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["sign_on_connected", "sign_on_disconnected"]));
  });

  test("is connected with nobody else's, and by nobody who came into the browser meanwhile", async () => {
    const { browser } = await signedIn();
    oidc.signInAs({ sub: "ida" });
    expect(await browser.signOn("/", "connect")).toBe("/account?refused=connected_elsewhere");
    oidc.signInAs({ sub: "fresh" });
    const answer = await browser.answerOf((await browser.begin("/", "connect")).url);
    await browser.send(`${home}/api/auth/sign-out`, {});
    const { email } = await server.person("operator");
    await browser.send(`${home}/api/auth/sign-in`, { email, password });
    expect(await browser.land(answer)).toBe("/account?refused=other_person");
    expect((await new Browser().begin("/", "connect")).status).toBe(401);
  });

  test("that has no other way in keeps this one", async () => {
    const browser = new Browser();
    oidc.signInAs({ sub: "ida" });
    await browser.signOn();
    const response = await browser.send(`${home}/api/auth/oidc/disconnect`, {});
    expect(response.status).toBe(409);
    expect(await new Browser().signOn()).toBe("/tasks");
  });
});

describe("what is not as it must be", () => {
  const ida = () => oidc.signInAs({ sub: "ida", email: "ida@example.com", email_verified: true });

  /** Changes a parameter of the address that somebody is sent to. */
  function changed(url: string, name: string, value: string): string {
    const next = new URL(url);
    next.searchParams.set(name, value);
    return next.href;
  }

  test.each([
    ["nonce", "another-nonce"],
    ["code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"],
  ])("another %s", async (name, value) => {
    ida();
    const browser = new Browser();
    const { url } = await browser.begin();
    expect(await browser.land(await browser.answerOf(changed(url, name, value)))).toBe(
      refused("failed"),
    );
    expect(await browser.whoAmI()).toBe(401);
  });

  test("an answer for another browser, or one that is used twice", async () => {
    ida();
    const victim = new Browser();
    const attacker = new Browser();
    const answer = await attacker.answerOf((await attacker.begin()).url);
    // Signing somebody in as the attacker: their browser began nothing.
    expect(await victim.land(answer)).toBe(refused("expired", "/"));
    // The attacker's code under the victim's own state.
    const { url } = await victim.begin();
    const state = new URL(url).searchParams.get("state") as string;
    expect(await victim.land(changed(answer, "state", state))).toBe(refused("failed"));
    expect(await victim.whoAmI()).toBe(401);
    const kept = attacker.cookies(answer);
    expect(await attacker.land(answer)).toBe("/tasks");
    const replay = await fetch(answer, { redirect: "manual", headers: { cookie: kept } });
    expect(replay.headers.get("location")).toBe(refused("expired", "/"));
  });

  test("a token that was changed, one without a signature, and none", async () => {
    ida();
    const claims = (token: string, change: object) => {
      const [, payload = ""] = token.split(".");
      const read = JSON.parse(Buffer.from(payload, "base64url").toString());
      return Buffer.from(JSON.stringify({ ...read, ...change })).toString("base64url");
    };
    const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
    const tamperings: NonNullable<OidcServer["tamper"]>[] = [
      (body) => {
        const [head, , signature] = String(body.id_token).split(".");
        const other = claims(String(body.id_token), { sub: "somebody-else" });
        return { ...body, id_token: `${head}.${other}.${signature}` };
      },
      (body) => ({ ...body, id_token: `${unsigned}.${claims(String(body.id_token), {})}.` }),
      ({ id_token: _, ...body }) => body,
    ];
    for (const tamper of tamperings) {
      oidc.tamper = tamper;
      const browser = new Browser();
      expect(await browser.signOn()).toBe(refused("failed"));
      expect(await browser.whoAmI()).toBe(401);
    }
    oidc.tamper = null;
    expect(await new Browser().signOn()).toBe("/tasks");
  });

  test("a page of another origin begins nothing, and no path leads elsewhere", async () => {
    const foreign = { origin: "http://evil.example" };
    expect((await server.send("/api/auth/oidc/begin", foreign, { next: "/" })).status).toBe(403);
    expect((await server.send("/api/auth/oidc/begin", {}, { next: "/" })).status).toBe(403);
    ida();
    for (const next of ["//evil.example", "https://evil.example", "/\t/evil.example"]) {
      expect(await new Browser().signOn(next)).toBe("/");
    }
  });
});

describe("by configuration", () => {
  test("somebody new gets a role and the provider's groups, which follow what it says", async () => {
    const fresh = await start({ role: "operator", groupsClaim: "groups" });
    const before = home;
    home = `http://localhost:${fresh.port}`;
    try {
      const claims = { sub: "gus", email: "gus@example.com", email_verified: true };
      oidc.signInAs({ ...claims, groups: ["night shift", "ops", "<b>", "ops"] });
      // As long as there is no admin, somebody else must not be the first person.
      expect(await new Browser().signOn()).toBe(refused("not_set_up"));
      await fresh.person("admin");
      const browser = new Browser();
      expect(await browser.signOn()).toBe("/tasks");
      expect(await browser.whoAmI()).toMatchObject({
        role: "operator",
        groups: ["night shift", "ops"],
      });
      oidc.signInAs({ ...claims, groups: ["ops"] });
      await new Browser().signOn();
      // At once, also where they are signed in already.
      expect(await browser.whoAmI()).toMatchObject({ groups: ["ops"] });
      expect(fresh.events.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(["person_entered", "person_changed"]),
      );
    } finally {
      home = before;
      await fresh.close();
    }
  });

  test("a provider that cannot be reached is said so, and is asked again", async () => {
    const away = await startOidcServer();
    const { issuer, clientId, clientSecret } = away;
    const fresh = await startIdentityServer({
      signOn: {
        issuer,
        clientId,
        clientSecret,
        name: "Example ID",
        role: null,
        groupsClaim: null,
        scopes: "openid email",
      },
    });
    const page = { origin: `http://localhost:${fresh.port}` };
    const begin = () => fresh.send("/api/auth/oidc/begin", page, { next: "/" });
    const refusal = await begin();
    expect([refusal.status, JSON.parse(refusal.body).code]).toEqual([503, "sign_on_unavailable"]);
    away.admit(`${page.origin}/api/auth/oidc/callback`);
    expect((await begin()).status).toBe(200);
    await fresh.close();
    await away.close();
  });
});
