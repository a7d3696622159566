import { describe, expect, test } from "vitest";
import { AttemptLimiter, addressBucket } from "../../server/identity/attempt-limiter.ts";
import { OpenCalls } from "../../server/identity/open-calls.ts";
import { hashOf, isSameHash, randomToken } from "../../server/identity/secret-token.ts";
import { testClock } from "../support/test-clock.ts";

const from = { actor: null, surface: "rest", address: "192.0.2.1" } as const;

describe("attempts", () => {
  const limiterAt = (clock: { now: number }, blocks: string[] = []) =>
    new AttemptLimiter({
      limit: 3,
      windowSeconds: 60,
      onBlock: (key) => blocks.push(key),
      now: () => clock.now,
    });

  test("are refused beyond the limit until the oldest is as old as the window", () => {
    const clock = { now: 0 };
    const blocks: string[] = [];
    const limiter = limiterAt(clock, blocks);
    for (let i = 0; i < 3; i++) {
      limiter.check("a", from);
      limiter.count("a");
      clock.now += 1000;
    }
    expect(() => limiter.check("a", from)).toThrow("Try again in 57 s");
    expect(() => limiter.check("a", from)).toThrow(/./);
    expect(blocks).toEqual(["a"]);
    limiter.check("b", from);
    clock.now = 60_000;
    limiter.check("a", from);
    limiter.count("a");
    expect(() => limiter.check("a", from)).toThrow(/./);
    expect(blocks).toEqual(["a", "a"]);
  });

  test("that did not fail are given back, and those under way count", () => {
    const limiter = limiterAt({ now: 0 });
    const undo = [1, 2, 3].map(() => limiter.count("a"));
    expect(() => limiter.check("a", from)).toThrow(/./);
    for (const each of undo) each();
    for (const each of undo) each();
    limiter.check("a", from);
  });

  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:0db8:0001:0002::1", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    [null, "unknown"],
  ])("from %s count under %s", (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });
});

describe("open calls", () => {
  const clock = testClock();
  const expired = () => new Error("expired");
  const holder = (handles: string[], identifiedAt = 0, expiresAt: number | null = null) => ({
    handles,
    identifiedAt,
    expiresAt,
  });

  test("end by any of their handles, with its reason, and leave nothing behind", () => {
    const calls = new OpenCalls(clock, expired);
    const one = calls.open(holder(["key:1", "user:1"]), undefined);
    const other = calls.open(holder(["key:2", "user:1"]), undefined);
    calls.end("key:1", new Error("revoked"));
    expect([one.signal.aborted, other.signal.aborted]).toEqual([true, false]);
    expect(one.signal.reason.message).toBe("revoked");
    calls.end("user:1", new Error("shut out"));
    expect(other.signal.reason.message).toBe("shut out");
    one.close();
    other.close();
    expect(calls.size).toBe(0);
  });

  test("that open after the end, by a caller identified before it, do not go on", () => {
    const calls = new OpenCalls(clock, expired);
    const before = calls.moment;
    calls.end("user:1", new Error("shut out"));
    expect(calls.open(holder(["user:1"], before), undefined).signal.aborted).toBe(true);
    expect(calls.open(holder(["user:1"], calls.moment), undefined).signal.aborted).toBe(false);
  });

  test("end with the request and with their time", async () => {
    const calls = new OpenCalls(clock, expired);
    const request = new AbortController();
    const held = calls.hold(
      holder(["key:1"]),
      request.signal,
      (signal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    request.abort(new Error("gone"));
    await expect(held).rejects.toThrow("gone");
    // Longer than a timer of Node can wait.
    const days = 60 * 86_400;
    const expiresAt = clock.now() / 1000 + days * 1000;
    const short = calls.open(holder(["key:1"], 0, expiresAt), undefined);
    await clock.advance(days - 1);
    expect(short.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(short.signal.reason?.message).toBe("expired");
    short.close();
    expect(calls.size).toBe(0);
  });
});

test("tokens are long and differ; hashes are compared whole", () => {
  const tokens = Array.from({ length: 100 }, randomToken);
  expect(new Set(tokens).size).toBe(100);
  expect(Buffer.from(tokens[0] as string, "base64url")).toHaveLength(32);
  const hash = hashOf("a");
  expect([isSameHash(hash, hashOf("a")), isSameHash(hash, hashOf("b"))]).toEqual([true, false]);
  expect([isSameHash(hash, ""), isSameHash(hash, hash.slice(0, -2))]).toEqual([false, false]);
});
