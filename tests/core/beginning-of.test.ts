import fc from "fast-check";
import { expect, test } from "vitest";
import { beginningOf } from "../../server/core/beginning-of.ts";

const family = "👩‍👩‍👧‍👦";
/** Half of a surrogate pair. */
const lone = /\p{Surrogate}/gu;

test("a text is cut between characters, and never inside of one", () => {
  expect(beginningOf("abc", 3)).toBe("abc");
  expect(beginningOf("abcd", 3)).toBe("abc");
  expect(beginningOf(`ab${family}`, 4)).toBe("ab");
  expect(beginningOf("e\u0301e\u0301e\u0301", 3)).toBe("e\u0301");
  expect(beginningOf("🙂🙂", 3)).toBe("🙂");
});

test("whatever a text is made of, what is left is its beginning, well-formed and no longer", () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom("🙂", family, "e\u0301", "\u0301".repeat(200)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.nat(300), (parts, most) => {
      const text = parts.join("").replace(lone, "?");
      const cut = beginningOf(text, most);
      expect(text.startsWith(cut)).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(most);
      expect(cut).not.toMatch(lone);
      if (text.length > most) expect(cut.length).toBeGreaterThan(most - 65);
    }),
  );
});
