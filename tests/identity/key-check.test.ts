import { beforeEach, expect, test, vi } from "vitest";
import { allScopes } from "../../server/core/permission.ts";
import { silentLog } from "../../server/engine/engine-log.ts";
import { Identity } from "../../server/identity/identity.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { somebody } from "../support/identity-server.ts";
import { testClock } from "../support/test-clock.ts";

// How long a check takes must not tell what was right about a key. Times are noise on a busy machine, so
// the work is counted: each key is hashed once and compared as a whole just as often, whatever it is.

const work = vi.hoisted(() => ({ done: [] as string[] }));

vi.mock("../../server/identity/secret-token.ts", async (original) => {
  const real = await original<typeof import("../../server/identity/secret-token.ts")>();
  return {
    ...real,
    hashOf: (token: string) => {
      work.done.push("hashed");
      return real.hashOf(token);
    },
    isSameHash: (a: string, b: string) => {
      work.done.push(`compared ${a.length} with ${b.length}`);
      return real.isSameHash(a, b);
    },
  };
});

beforeEach(() => {
  work.done = [];
});

test("a wrong key costs as much whether its beginning is known, its form is right, or nothing is", async () => {
  const store = await SQLiteStore.open(":memory:");
  const identity = await Identity.open({
    store: await store.identity(),
    clock: testClock(),
    log: silentLog,
    secret: "a secret for tests only",
    apiKey: "a-key-of-a-container",
    rulesInCode: () => new Map(),
  });
  const wanted = { name: "k", scopes: { ...allScopes }, expiresAt: null };
  const { key } = await identity.keys.make(wanted, {
    ...somebody,
    actor: { ...somebody.actor, kind: "system" },
  });
  const workOf = (sent: string) => {
    work.done = [];
    try {
      identity.keys.authenticate(sent, "rest", { address: "192.0.2.1" });
    } catch {}
    return work.done;
  };
  const right = workOf(key);
  expect(right).toEqual(["hashed", "compared 64 with 64", "compared 64 with 64"]);
  const secret = key.slice(-43);
  const changed = (text: string) => (text === "x" ? "y" : "x");
  for (const wrong of [
    key.slice(0, -1) + changed(key.slice(-1)),
    key.slice(0, -43) + changed(secret.slice(0, 1)) + secret.slice(1),
    `tt_0000000000_${secret}`,
    "a-key-of-a-containes",
    "x",
  ]) {
    expect([wrong, workOf(wrong)]).toEqual([wrong, right]);
  }
  await store.close();
});
