import { describe, expect, test } from "vitest";
import { type Sealed, secretBox } from "../../server/index.ts";

const one = secretBox({ secret: "the first secret of all" });
const place = "task_1 params";

function changed({ keyId, text }: Sealed, at: number): Sealed {
  const bytes = Buffer.from(text.slice(2), "base64url");
  bytes[at < 0 ? bytes.length + at : at] = (bytes.at(at) as number) ^ 1;
  return { keyId, text: `1.${bytes.toString("base64url")}` };
}

describe("a sealed value", () => {
  test.each([null, "", "päss wörd 🧵\u0000", 42, [{ a: ["x".repeat(10_000)] }], "\ud800"])(
    "%j comes back as it was",
    (value) => {
      expect(one.open(one.seal(value, place), place)).toEqual(value);
    },
  );

  test("reads otherwise each time, and does not tell how long a short value is", () => {
    const [a, b, c] = ["pin", "pin", "a much longer password"].map((value) =>
      one.seal(value, place),
    );
    expect(a?.text).not.toBe(b?.text);
    expect(a?.text.length).toBe(c?.text.length);
    expect(a?.keyId).toBe(one.keyIds[0]);
  });

  test("cannot be opened elsewhere, changed, cut, or with another secret", () => {
    const sealed = one.seal("secret", place);
    const other = secretBox({ secret: "some other secret again" });
    const spoilt: [string, () => unknown][] = [
      ["another place", () => one.open(sealed, "task_2 params")],
      ["nonce", () => one.open(changed(sealed, 0), place)],
      ["text", () => one.open(changed(sealed, 20), place)],
      ["tag", () => one.open(changed(sealed, -1), place)],
      ["cut", () => one.open({ ...sealed, text: sealed.text.slice(0, 20) }, place)],
      ["version", () => one.open({ ...sealed, text: `2${sealed.text.slice(1)}` }, place)],
      ["another secret", () => other.open(sealed, place)],
      ["another key's name", () => other.open({ ...sealed, keyId: other.keyIds[0] ?? "" }, place)],
    ];
    for (const [what, open] of spoilt) {
      expect(open, what).toThrow(expect.objectContaining({ code: "secret_unreadable" }));
    }
  });

  test("is opened by an old secret after a rotation, and sealed anew with the new one", () => {
    const rotated = secretBox({
      secret: "the second secret of all",
      oldSecrets: ["the first secret of all"],
    });
    expect(rotated.open(one.seal("old", place), place)).toBe("old");
    expect(rotated.keyIds).toHaveLength(2);
    expect(rotated.keyIds[1]).toBe(one.keyIds[0]);
    expect(rotated.seal("new", place).keyId).toBe(rotated.keyIds[0]);
    expect(() => one.open(rotated.seal("new", place), place)).toThrow(/TOOLTHREAD_OLD_SECRETS/);
    expect(rotated.digests("x")).toHaveLength(2);
    expect(rotated.digests("x")[1]).toBe(one.digests("x")[0]);
    expect(one.digests("x")).not.toEqual(one.digests("y"));
  });

  test("needs a secret of some length", () => {
    expect(() => secretBox({ secret: "short" })).toThrow(/16 characters/);
    expect(() => secretBox({ secret: "long enough, really", oldSecrets: ["short"] })).toThrow();
  });
});
