import { expect, test } from "vitest";
import { promptLine } from "../../components/questions/prompt-line.ts";

test.each([
  ["Delete the **old** backups?", "Delete the old backups?"],
  ["\n\n## Release\n\nProceed?", "Release"],
  ["- `a.log`\n- `b.log`", "a.log"],
  ["> quoted __twice__", "quoted twice"],
  ["  \n ", "(no text)"],
  ["***", "(no text)"],
  ["x".repeat(500), "x".repeat(160)],
])("%j is shown as one line of text", (prompt, line) => {
  expect(promptLine(prompt)).toBe(line);
});
