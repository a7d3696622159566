import webPush from "web-push";
import { Access } from "../../server/core/access.ts";
import type { Clock } from "../../server/core/clock.ts";
import { allScopes, type KeyScopes, type Role } from "../../server/core/permission.ts";
import type { SignOnSettings } from "../../server/core/sign-on.ts";
import { systemClock } from "../../server/core/system-clock.ts";
import { silentLog } from "../../server/engine/engine-log.ts";
import type { TaskManager } from "../../server/engine/task-manager.ts";
import { noteIdentityEvent } from "../../server/identity/audit-identity.ts";
import type { Caller, IdentityEvent } from "../../server/identity/caller.ts";
import { Identity } from "../../server/identity/identity.ts";
import { type PushOptions, PushSender } from "../../server/push/push-sender.ts";
import { SQLiteStore, type SQLiteStoreOptions } from "../../server/stores/sqlite-store.ts";
import { type ApiServer, startApiServer } from "./api-server.ts";
import { sendRequest } from "./send-request.ts";

export const password = "a password for tests";

export interface IdentityServer extends ApiServer {
  store: SQLiteStore;
  identity: Identity;
  /** Resolves when what happened to identities so far is in the audit log. */
  noted(): Promise<void>;
  /** What happened to identities so far. */
  events: IdentityEvent[];
  /** Makes a person and signs them in. @returns the headers of their browser. */
  person(
    role: Role,
    groups?: string[],
  ): Promise<{ userId: string; email: string; headers: Headers }>;
  /** Makes a key. @returns it, with the headers of its agent. */
  agent(
    scopes?: Partial<KeyScopes>,
    expiresAt?: string | null,
  ): Promise<{ keyId: string; key: string; headers: Headers }>;
  /** Sends exactly these headers; a body makes it a POST. */
  send(path: string, headers?: Headers, body?: unknown): ReturnType<typeof sendRequest>;
}

type Headers = Record<string, string>;

/** An admin that no test signs in as. */
export const somebody: Caller = {
  actor: { kind: "operator", id: "user_somebody", name: "Somebody", surface: "dashboard" },
  access: new Access({ kind: "person", role: "admin", groups: [] }),
  role: "admin",
  groups: [],
  email: null,
  handles: [],
  identifiedAt: 0,
  expiresAt: null,
};

/** A server on which people sign in, with a database in memory. */
export async function startIdentityServer(
  options: {
    apiKey?: string;
    /** For what keys and open calls live by. */
    clock?: Clock;
    signOn?: SignOnSettings;
    push?: Pick<PushOptions, "post" | "checkEndpoint">;
    onWrite?: SQLiteStoreOptions["onWrite"];
    callsPerSecond?: number;
    maxOpenCalls?: number;
    register?(manager: TaskManager): void;
  } = {},
): Promise<IdentityServer> {
  const store = await SQLiteStore.open(":memory:", { onWrite: options.onWrite });
  const events: IdentityEvent[] = [];
  let opened: Identity | undefined;
  let noting = Promise.resolve();
  const server = await startApiServer({
    store,
    register: options.register,
    identity: async (manager) => {
      opened = await Identity.open({
        store: await store.identity(),
        clock: options.clock ?? systemClock,
        log: silentLog,
        secret: "a secret for tests only",
        apiKey: options.apiKey ?? null,
        signOn: options.signOn,
        callsPerSecond: options.callsPerSecond,
        maxOpenCalls: options.maxOpenCalls,
        rulesInCode: () => manager.typeRules(),
        onEvent: (event) => {
          events.push(event);
          noting = noting.then(() => noteIdentityEvent(store.audit, event, silentLog));
        },
      });
      return opened;
    },
    push: async (manager) => {
      const sender = new PushSender({
        store: await store.pushTargets(),
        manager,
        keys: webPush.generateVAPIDKeys(),
        contact: "mailto:toolthread@example.com",
        clock: systemClock,
        log: silentLog,
        accessOf: (personId) => opened?.accessOf(personId) ?? null,
        ...options.push,
      });
      sender.start();
      return sender;
    },
  });
  const identity = opened as Identity;
  const page = { origin: `http://localhost:${server.port}` };
  let made = 0;

  const send: IdentityServer["send"] = (path, headers = {}, body) =>
    sendRequest({
      port: server.port,
      path,
      ...(body === undefined
        ? { headers }
        : {
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
            body: JSON.stringify(body),
          }),
    });

  return {
    ...server,
    store,
    identity,
    events,
    noted: () => noting,
    send,
    async person(role, groups = []) {
      made += 1;
      const email = `${role}${made}@example.com`;
      const { token } = await identity.people.invite({ email: null, role, groups }, somebody);
      const entrant = { token, name: `${role} ${made}`, email, password };
      const { status, headers, body } = await send("/api/auth/accept-invite", page, entrant);
      if (status !== 200) throw new Error(`${status} ${body}`);
      const userId = identity.people.list().find((person) => person.email === email)?.userId;
      return { userId: userId as string, email, headers: { cookie: cookieOf(headers), ...page } };
    },
    async agent(scopes = {}, expiresAt = null) {
      made += 1;
      const wanted = {
        name: `agent ${made}`,
        scopes: { ...allScopes, read: "own" as const, ...scopes },
        expiresAt,
      };
      const by = { ...somebody, actor: { ...somebody.actor, kind: "system" as const } };
      const { key, view } = await identity.keys.make(wanted, by);
      return { keyId: view.keyId, key, headers: { authorization: `Bearer ${key}` } };
    },
    async close() {
      await server.close();
      await noting;
      await store.close();
    },
  };
}

/** The cookies that a response sets, as a browser sends them back. */
export function cookieOf(headers: NodeJS.Dict<string | string[]>): string {
  const set = [headers["set-cookie"] ?? []].flat();
  return set.map((cookie) => cookie.split(";")[0]).join("; ");
}
