import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pagePolicy } from "../server/security-headers.ts";

test("the policy knows the style sheet that sonner adds to a page", () => {
  const source = readFileSync(fileURLToPath(import.meta.resolve("sonner")), "utf8");
  const literal = /^__insertCSS\((".*")\);$/m.exec(source)?.[1] as string;
  // It adds the element first, and its text to it after that.
  for (const text of ["", JSON.parse(literal)]) {
    const hash = createHash("sha256").update(text).digest("base64");
    expect(pagePolicy("n")).toContain(`'sha256-${hash}'`);
  }
});

test("code is evaluated, and web sockets are opened, in development only", () => {
  expect(pagePolicy("n")).not.toMatch(/unsafe|ws:/);
  expect(pagePolicy("n", true)).toMatch(/script-src [^;]*'unsafe-eval'.*connect-src 'self' ws:/);
});
