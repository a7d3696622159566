import { expect, test } from "vitest";
import { ownPath } from "../../server/core/own-path.ts";

test.each([
  ["/", "/"],
  ["/tasks?status=failed#x", "/tasks?status=failed#x"],
  ["/tasks?text=é b", "/tasks?text=%C3%A9%20b"],
  ["/a/../b", "/b"],
])("%j stays here", (text, path) => expect(ownPath(text)).toBe(path));

test.each([
  "",
  "tasks",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n\\evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "//[",
])("%j would lead elsewhere", (text) => expect(ownPath(text)).toBeNull());
