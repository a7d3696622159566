import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InvalidSettings, readSettings } from "../server/env.ts";
import { version } from "../server/version.ts";

const read = (env: Record<string, string>) => readSettings(env, "/srv/app");

test("everything has a default", () => {
  expect(read({})).toEqual({
    port: 3000,
    host: "127.0.0.1",
    dataDir: "/srv/app/data",
    databaseFile: "/srv/app/data/toolthread.db",
    filesRoot: "/srv/app/examples/logs",
    apiKey: null,
    auth: "sign_in",
    admin: null,
    signOn: null,
    proxies: 0,
    callsPerSecond: 500,
    openCalls: 1000,
    logLevel: "info",
    secret: null,
    oldSecrets: [],
    tasksModule: null,
    concurrency: 1000,
    leaseSeconds: 15,
    drainSeconds: 10,
    retainSeconds: null,
    allowedHosts: [],
    pushContact: "mailto:toolthread@example.com",
  });
});

test("an empty setting counts as not set", () => {
  expect(read({ PORT: "", TOOLTHREAD_API_KEY: " ", TOOLTHREAD_TASKS: "" })).toEqual(read({}));
});

test("paths are resolved, and the database may lie elsewhere", () => {
  const settings = read({
    TOOLTHREAD_DATA_DIR: "../state",
    TOOLTHREAD_DATABASE_URL: "file:./other.db",
    TOOLTHREAD_FILES_ROOT: import.meta.dirname,
    TOOLTHREAD_TASKS: "tasks.js",
  });
  expect(settings).toMatchObject({
    dataDir: "/srv/state",
    databaseFile: "/srv/app/other.db",
    filesRoot: import.meta.dirname,
    tasksModule: "/srv/app/tasks.js",
  });
});

test("allowed hosts are a list, in lower case", () => {
  const { allowedHosts } = read({ TOOLTHREAD_ALLOWED_HOSTS: " Tasks.Example.com, lab ,," });
  expect(allowedHosts).toEqual(["tasks.example.com", "lab"]);
});

describe("a wrong setting is named, with what would be right", () => {
  test.each([
    ["PORT", "abc", /number/],
    ["PORT", "70000", /65535/],
    ["PORT", "80.5", /whole/],
    ["HOST", "http://localhost", /address/],
    ["TOOLTHREAD_DATABASE_URL", "postgres://localhost/x", /Postgres.*file:/],
    ["TOOLTHREAD_DATABASE_URL", "data.db", /file:PATH/],
    ["TOOLTHREAD_DATABASE_URL", "file:", /file:PATH/],
    ["TOOLTHREAD_API_KEY", "two words", /spaces/],
    ["TOOLTHREAD_AUTH", "off", /none/],
    ["TOOLTHREAD_ADMIN_EMAIL", "root", /e-mail/],
    ["TOOLTHREAD_ADMIN_EMAIL", "a@b.example", /TOOLTHREAD_ADMIN_PASSWORD is missing/],
    ["TOOLTHREAD_ADMIN_PASSWORD", "long enough", /TOOLTHREAD_ADMIN_EMAIL is missing/],
    ["TOOLTHREAD_OIDC_ISSUER", "login.example.com", /URL/],
    ["TOOLTHREAD_OIDC_CLIENT_ID", "x", /TOOLTHREAD_OIDC_ISSUER is missing/],
    ["TOOLTHREAD_OIDC_ROLE", "root", /viewer, operator, admin/],
    ["TOOLTHREAD_OIDC_SCOPES", "email", /openid/],
    ["TOOLTHREAD_PROXIES", "-1", /0 to 10/],
    ["TOOLTHREAD_RATE_LIMIT", "0", /1 to 1000000/],
    ["TOOLTHREAD_LOG_LEVEL", "loud", /debug/],
    ["TOOLTHREAD_OPEN_CALLS", "0", /1 to 1000000/],
    ["TOOLTHREAD_SECRET", "short", /16/],
    ["TOOLTHREAD_ALLOWED_HOSTS", "https://x.example", /scheme/],
    ["TOOLTHREAD_ALLOWED_HOSTS", "x.example:80", /port/],
    ["TOOLTHREAD_FILES_ROOT", "logs/none", /\/srv\/app\/logs\/none must be a folder/],
    ["TOOLTHREAD_APIKEY", "x", /TOOLTHREAD_API_KEY/],
  ])("%s=%s", (name, value, words) => {
    const attempt = () => read({ [name]: value });
    expect(attempt).toThrow(InvalidSettings);
    expect(attempt).toThrow(name);
    expect(attempt).toThrow(words);
  });

  test("all of them at once", () => {
    const attempt = () => read({ PORT: "-1", TOOLTHREAD_SECRET: "x" });
    expect(attempt).toThrow(/PORT[\s\S]*TOOLTHREAD_SECRET/);
  });
});

describe("TOOLTHREAD_AUTH=none", () => {
  test.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])("is possible on %s", (HOST) => {
    expect(read({ TOOLTHREAD_AUTH: "none", HOST }).auth).toBe("none");
  });

  test.each(["0.0.0.0", "::", "192.168.1.2", "tasks.example.com", "127.0.0.1.example.com"])(
    "is refused on %s",
    (HOST) => {
      expect(() => read({ TOOLTHREAD_AUTH: "none", HOST })).toThrow(/loopback HOST only/);
    },
  );
});

test("people sign in unless it is said that nobody does, wherever the server listens", () => {
  for (const HOST of ["127.0.0.1", "localhost", "0.0.0.0"]) {
    expect(read({ HOST }).auth).toBe("sign_in");
    expect(read({ HOST, TOOLTHREAD_AUTH: "sign-in" }).auth).toBe("sign_in");
  }
});

test("an admin is an address with a password", () => {
  const TOOLTHREAD_ADMIN_EMAIL = "ada@example.com";
  const TOOLTHREAD_ADMIN_PASSWORD = "correct horse";
  expect(read({ TOOLTHREAD_ADMIN_EMAIL, TOOLTHREAD_ADMIN_PASSWORD }).admin).toEqual({
    email: TOOLTHREAD_ADMIN_EMAIL,
    password: TOOLTHREAD_ADMIN_PASSWORD,
  });
});

describe("single sign-on", () => {
  const given = {
    HOST: "0.0.0.0",
    TOOLTHREAD_OIDC_ISSUER: "https://login.example.com/realms/main",
    TOOLTHREAD_OIDC_CLIENT_ID: "toolthread",
  };

  test("lets in who is invited, unless a role is given to everybody", () => {
    expect(read(given).signOn).toEqual({
      issuer: "https://login.example.com/realms/main",
      clientId: "toolthread",
      clientSecret: null,
      name: "single sign-on",
      role: null,
      groupsClaim: null,
      scopes: "openid email profile",
    });
    expect(read({ ...given, TOOLTHREAD_OIDC_ROLE: "viewer" }).signOn?.role).toBe("viewer");
  });

  test.each([
    [{ TOOLTHREAD_OIDC_CLIENT_ID: "" }, /CLIENT_ID is missing/],
    [{ TOOLTHREAD_OIDC_ISSUER: "http://login.example.com" }, /must be https/],
    [{ HOST: "127.0.0.1", TOOLTHREAD_AUTH: "none" }, /of no use where nobody signs in/],
  ])("%j is refused", (change, words) => {
    expect(() => read({ ...given, ...change })).toThrow(words);
  });

  test("may be plain HTTP on this machine", () => {
    expect(read({ ...given, TOOLTHREAD_OIDC_ISSUER: "http://[::1]:8080" }).signOn?.issuer).toBe(
      "http://[::1]:8080",
    );
  });
});

test("the version is the package's", () => {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  expect(version).toBe(JSON.parse(manifest).version);
});
