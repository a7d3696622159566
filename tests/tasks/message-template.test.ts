import fc from "fast-check";
import { expect, test } from "vitest";
import { templateOf, templateOfPath } from "../../server/tasks/analyze-logs/message-template.ts";

test.each([
  ["Timeout after 3000 ms for 192.0.2.7", "Timeout after <n> ms for <ip>"],
  ["took 12.5% of 1,024 in 3ms.", "took <n>% of <n> in <n>ms."],
  ["upstream 192.0.2.7:8080 and 2001:db8::1 gone", "upstream <ip> and <ip> gone"],
  ["session 1b4e28ba-2fa1-11d2-883f-b9a761bde3fb ended", "session <uuid> ended"],
  ["at 0x7ffe12 commit 3f2a91bc0d4e", "at <hex> commit <hex>"],
  ["user 'alice' said \"no\" to `x`", "user '<text>' said \"<text>\" to `<text>`"],
  ["can't and won't open /etc/x.conf", "can't and won't open <path>"],
  ["see https://example.com/a?b=1, please", "see <url>, please"],
  ["in src/app/main.ts:12:5", "in <path>"],
  ["read and/or write tcp/80", "read and/or write tcp/<n>"],
  ["worker-12 on node3 is up", "worker-<n> on node<n> is up"],
  ["at 2026-11-30T12:00:00.5Z and 12:00:00", "at <time> and <time>"],
  ["token eyJ0eXAiOiJKV1QiLCJhbG2 used", "token <id> used"],
  ["a-name-with-many-words-in-it1 stays", "a-name-with-many-words-in-it<n> stays"],
  ["id=17,user=bob(3)", "id=<n>,user=bob(<n>)"],
  ["nothing to replace: here.", "nothing to replace: here."],
  ["an 'unclosed 5", "an 'unclosed <n>"],
  ["größer als 5 µs", "größer als <n> µs"],
  ["", ""],
])("%j", (message, expected) => {
  expect(templateOf(message)).toBe(expected);
});

test("paths lose their query, and ids in them become placeholders", () => {
  expect(templateOfPath("/a/12/b?c=3#d")).toBe("/a/<n>/b");
  expect(templateOfPath("/files/report-2026.pdf")).toBe("/files/report-<n>.pdf");
  expect(templateOfPath("*")).toBe("*");
});

test("long messages are cut before they are compared", () => {
  expect(templateOf("x".repeat(100_000)).length).toBe(400);
});

test("messages that differ only in digits have one template", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(words, fc.nat(), fc.nat(), (parts, a, b) => {
      const message = (n: number) => parts.map((part) => `${part} ${n}`).join(" ");
      expect(templateOf(message(a))).toBe(templateOf(message(b)));
    }),
  );
});

test("any text has a template", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(typeof templateOf(text)).toBe("string");
    }),
  );
});
