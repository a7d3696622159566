import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MemoryStore, TaskManager } from "../../server/index.ts";
import type { LogReport } from "../../server/tasks/analyze-logs/log-report.ts";
import { registerBuiltInTasks } from "../../server/tasks/register.ts";
import { followTask, runTask } from "./run-task.ts";

let root: string;
let manager: TaskManager;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "toolthread-"));
  manager = newManager();
  await writeFile(
    join(root, "app.log"),
    [
      "2026-11-30 12:00:00 INFO started",
      "2026-11-30 12:00:10 ERROR no answer from 192.0.2.7",
      "2026-11-30 12:00:20 ERROR no answer from 192.0.2.8",
      "2026-11-30 12:00:30 WARN disk 91% full",
      "2026-11-30 12:00:40 ERROR job 17 failed",
      "",
    ].join("\n"),
  );
  await writeFile(join(root, "db.log"), "2026-11-30 12:00:50 ERROR no answer from 192.0.2.9\n");
  await writeFile(join(root, "calm.log"), "2026-11-30 12:00:00 WARN warm\n");
});

afterEach(async () => {
  await manager.shutdown();
  await rm(root, { recursive: true });
});

function newManager(store = new MemoryStore()): TaskManager {
  const created = new TaskManager({ store });
  registerBuiltInTasks(created, { filesRoot: root });
  return created;
}

/** Runs to the end; `answer` gives the labels to choose. */
async function analyze(params: object, answer?: (labels: string[]) => string[]) {
  const run = await runTask(manager, "analyze_logs", params, {
    answer: ({ choices }) => {
      if (!answer || !choices) return undefined;
      const wanted = answer(choices.map(({ label }) => label));
      return choices.filter(({ label }) => wanted.includes(label)).map(({ value }) => value);
    },
  });
  return { ...run, report: run.result as LogReport | null };
}

describe("the whole way", () => {
  test("reads, tells how far it is, asks which groups to report, and reports those", async () => {
    const { messages, questions, report, status } = await analyze(
      { files: ["app.log", "db.log"] },
      (labels) => labels.filter((label) => label.includes("no answer")),
    );
    expect(status).toBe("completed");
    expect(messages).toEqual([
      "info: Analyzing 2 log files (265 bytes)…",
      "info: 80%: app.log (1/2), plain, 5 lines, 3 errors, 1 warning",
      "info: 100%: db.log (2/2), plain, 1 line, 1 error, 0 warnings",
      "info: Analysis complete: 4 errors, 1 warning, 1 group in the report.",
    ]);
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({
      prompt:
        "Found 4 errors and 1 warning in 3 groups of messages. Which groups go into the report?",
      multiple: true,
      hasDefault: true,
      defaultValue: ["all"],
      timeout: 600,
    });
    expect(questions[0]?.choices?.map(({ label }) => label)).toEqual([
      "All 3 groups listed",
      "error ×3 no answer from <ip>",
      "error ×1 job <n> failed",
      "warning ×1 disk <n>% full",
      "None, only the counts",
    ]);
    expect(report).toMatchObject({
      filesProcessed: 2,
      bytes: 265,
      lines: 6,
      countsByLevel: { error: 4, warning: 1, info: 1, debug: 0, unknown: 0 },
      firstAt: "2026-11-30T12:00:00.000Z",
      lastAt: "2026-11-30T12:00:50.000Z",
      results: [
        { file: "app.log", format: "plain", errors: 3, warnings: 1, problem: null },
        { file: "db.log", format: "plain", errors: 1, warnings: 0, problem: null },
      ],
      selection: { how: "answered", by: "in-process caller", offered: 3 },
      groups: [
        {
          level: "error",
          template: "no answer from <ip>",
          count: 3,
          firstAt: "2026-11-30T12:00:10.000Z",
          lastAt: "2026-11-30T12:00:50.000Z",
          files: [
            { file: "app.log", count: 2 },
            { file: "db.log", count: 1 },
          ],
          example: {
            file: "app.log",
            line: 2,
            text: "2026-11-30 12:00:10 ERROR no answer from 192.0.2.7",
          },
        },
      ],
    });
    expect(report?.selection.chosen).toEqual([report?.groups[0]?.id]);
    expect(report?.rates.buckets.length).toBeLessThanOrEqual(60);
    expect(report?.rates.buckets.filter(({ error }) => error > 0)).toHaveLength(4);
  });

  test("all means all, also beside others", async () => {
    const { report } = await analyze({ files: ["app.log"] }, (labels) => labels.slice(0, 2));
    expect(report?.groups.map(({ count }) => count)).toEqual([2, 1, 1]);
  });

  test("none means none, and so does an empty list; the counts stay", async () => {
    for (const pick of [(labels: string[]) => labels.slice(-1), () => []]) {
      const { report } = await analyze({ files: ["app.log"] }, pick);
      expect(report).toMatchObject({ groups: [], countsByLevel: { error: 3 } });
      expect(report?.selection).toMatchObject({ how: "answered", chosen: [] });
    }
  });

  test("nobody answers: all groups are reported, and the report says so", async () => {
    const { report, status } = await analyze({ files: ["app.log"], answerTimeout: 0.05 });
    expect(status).toBe("completed");
    expect(report?.selection).toMatchObject({ how: "default", by: null, offered: 3 });
    expect(report?.groups).toHaveLength(3);
  });

  test("somebody declines to choose: no groups, and why", async () => {
    const taskId = await manager.startTask("analyze_logs", { files: ["app.log"] });
    const { pendingQuestion } = await manager.pollTask(taskId, { waitFor: "input_or_result" });
    await manager.declineQuestion(pendingQuestion!.questionId, { reason: "ask Ada" });
    const { result } = await followTask(manager, taskId);
    expect(result).toMatchObject({
      selection: { how: "declined", declineReason: "ask Ada", by: "in-process caller" },
      groups: [],
    });
  });

  test("an answer that was not offered is refused, and the question stays open", async () => {
    const taskId = await manager.startTask("analyze_logs", { files: ["app.log"] });
    const { pendingQuestion } = await manager.pollTask(taskId, { waitFor: "input_or_result" });
    await expect(
      manager.respondToQuestion(taskId, pendingQuestion!.questionId, ["some"]),
    ).rejects.toThrow("is not one of the choices");
    const { result } = await followTask(manager, taskId, { answer: () => ["all"] });
    expect(result).toMatchObject({ selection: { how: "answered" } });
  });
});

describe("parameters", () => {
  test("without errors nobody is asked, unless that is wanted", async () => {
    const calm = await analyze({ files: ["calm.log"] });
    expect(calm.questions).toEqual([]);
    expect(calm.report).toMatchObject({ selection: { how: "not_asked" }, groups: [{ count: 1 }] });
    const asked = await analyze({ files: ["calm.log"], ask: "always" }, (labels) => labels);
    expect(asked.questions).toHaveLength(1);
    const never = await analyze({ files: ["app.log"], ask: "never" });
    expect(never.report).toMatchObject({ selection: { how: "not_asked", offered: 3 } });
  });

  test("whoever wants to be asked in any case is asked about harmless messages too", async () => {
    await writeFile(join(root, "dpkg.log"), "2026-11-30 12:00:00 startup archives unpack\n");
    const params = { files: ["dpkg.log"], ask: "always" };
    const { questions, report } = await analyze(params, (labels) => labels.slice(0, 1));
    expect(questions[0]?.choices?.[1]?.label).toBe("info ×1 startup archives");
    expect(report?.groups).toHaveLength(1);
  });

  test("minLevel and maxGroups limit what is offered; the most serious come first", async () => {
    const params = { files: ["app.log"], minLevel: "error", maxGroups: 1, ask: "never" };
    const { report } = await analyze(params);
    expect(report?.groups.map(({ template }) => template)).toEqual(["no answer from <ip>"]);
    const more = await analyze({ files: ["app.log"], minLevel: "info", ask: "never" });
    expect(more.report?.groups.map(({ level }) => level)).toEqual([
      "error",
      "error",
      "warning",
      "info",
    ]);
    const asked = await analyze({ files: ["app.log"], maxGroups: 2 }, (labels) => labels);
    expect(asked.questions[0]?.prompt).toContain(
      "The 2 most serious and frequent of 3 are listed.",
    );
  });

  test.each([
    [{}, "files"],
    [{ files: [] }, "files"],
    [{ files: "app.log" }, "files"],
    [{ files: [""] }, "files[0]"],
    [{ files: ["a\0b"] }, "files[0]: must not contain a NUL character"],
    [{ files: Array(101).fill("app.log") }, "files"],
    [{ files: ["app.log"], maxGroups: 0 }, "maxGroups"],
    [{ files: ["app.log"], ask: "sometimes" }, "ask"],
    [{ files: ["app.log"], fiels: 1 }, "fiels"],
  ])("%j is refused at the start, naming the field", async (params, expected) => {
    await expect(manager.startTask("analyze_logs", params)).rejects.toMatchObject({
      code: "invalid_params",
      message: expect.stringContaining(expected),
    });
  });
});

describe("files that cannot be read", () => {
  const refusals: [name: string, error: string][] = [
    ["nope.log", 'There is no file "nope.log" in the files root, which has: app.log'],
    ["../nope.log", '"../nope.log" leaves the files root'],
    ["/etc/hostname", '"/etc/hostname" leaves the files root'],
    ["link.log", '"link.log" is, or goes through, a symbolic link that leaves the files root'],
    [".", '"." is a directory'],
    ["photo.log", '"photo.log" is a binary file'],
  ];
  test.each(refusals)("%s fails the task before anything is read", async (name, expected) => {
    await symlink("/etc/hostname", join(root, "link.log"));
    await writeFile(join(root, "photo.log"), Buffer.alloc(1000));
    const { status, error, messages } = await analyze({ files: ["app.log", name] });
    expect(status).toBe("failed");
    expect(error).toContain(`InvalidInput: ${expected}`);
    expect(messages).toEqual([]);
  });

  test("a truncated file is reported with what was read of it, beside the others", async () => {
    const zipped = gzipSync("2026-11-30 12:00:00 ERROR x\n".repeat(100_000));
    await writeFile(join(root, "cut.gz"), zipped.subarray(0, zipped.length - 20));
    const params = { files: ["cut.gz", "calm.log"], ask: "never" };
    const { messages, report } = await analyze(params);
    const problem = '"cut.gz" ends in the middle of its compressed data (truncated).';
    expect(report?.results).toMatchObject([
      { file: "cut.gz", compressed: true, problem },
      { file: "calm.log", problem: null },
    ]);
    expect(report?.results[0]?.lines).toBeGreaterThan(1000);
    expect(messages).toContain(`warning: ${problem} What was read before counts.`);
  });

  test("when nothing at all could be read, the task fails", async () => {
    await writeFile(join(root, "cut.gz"), gzipSync("hello\n").subarray(0, 10));
    const { status, error } = await analyze({ files: ["cut.gz"] });
    expect({ status, error }).toEqual({
      status: "failed",
      error: 'InvalidInput: "cut.gz" ends in the middle of its compressed data (truncated).',
    });
  });

  test("an empty file is no error", async () => {
    await writeFile(join(root, "empty.log"), "");
    const { messages, report } = await analyze({ files: ["empty.log"] });
    expect(report).toMatchObject({
      results: [{ file: "empty.log", format: "empty", lines: 0 }],
      rates: { buckets: [] },
      groups: [],
    });
    expect(messages).toContain("info: 100%: empty.log, empty");
  });
});

describe("cancelling and resuming", () => {
  test("a cancel in the middle of a file ends the task at once", async () => {
    const line = "2026-11-30 12:00:00,000 ERROR [main] c.e.App - Order 17 failed, and so on\n";
    await writeFile(join(root, "big.log"), line.repeat(1_000_000));
    const taskId = await manager.startTask("analyze_logs", { files: ["big.log"] });
    const reading = await messageLike(taskId, /reading/);
    expect(reading).toMatch(/^\d\d%: reading big\.log, [\d,]+ lines, [\d,]+ errors so far$/);
    const { progress } = await manager.pollTask(taskId);
    expect(progress?.total).toBe(line.length * 1_000_000);
    expect(progress?.done).toBeLessThan(line.length * 1_000_000);
    await manager.cancelTask(taskId);
    const { status, result } = await followTask(manager, taskId);
    expect({ status, result }).toEqual({ status: "cancelled", result: null });
    const { progress: last } = await manager.pollTask(taskId);
    expect(last?.done).toBeLessThan(line.length * 1_000_000);
  });

  /** Waits for an update. */
  async function messageLike(taskId: string, pattern: RegExp): Promise<string> {
    for (let since: string | undefined; ; ) {
      const { updates, cursor, result } = await manager.pollTask(taskId, { since });
      const found = updates.find(({ message }) => pattern.test(message));
      if (found) return found.message;
      if (result) throw new Error(`The task ended as ${result.status}: ${result.error}`);
      since = cursor;
    }
  }

  test("a resumed task does not read again what it has read", async () => {
    const store = new MemoryStore();
    const first = newManager(store);
    const taskId = await first.startTask("analyze_logs", { files: ["app.log", "db.log"] });
    const { pendingQuestion } = await first.pollTask(taskId, { waitFor: "input_or_result" });
    await first.drain();
    await rm(join(root, "app.log"));
    await rm(join(root, "db.log"));

    const second = newManager(store);
    await second.ready();
    const { status, result, messages } = await followTask(second, taskId, {
      answer: () => ["all"],
    });
    expect(status).toBe("completed");
    expect(result).toMatchObject({ countsByLevel: { error: 4 }, groups: [{ count: 3 }, {}, {}] });
    // The same question, and no message twice.
    const { questions } = await second.getTask(taskId);
    expect(questions.map(({ questionId }) => questionId)).toEqual([pendingQuestion?.questionId]);
    expect(new Set(messages).size).toBe(messages.length);
    await second.shutdown();
  });
});
