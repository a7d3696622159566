import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { appendFile, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { analyzeFile, type ReadProgress } from "../../server/tasks/analyze-logs/analyze-file.ts";
import { findLogFiles } from "../../server/tasks/analyze-logs/log-file.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "toolthread-"));
});
afterEach(() => rm(root, { recursive: true }));

const never = new AbortController().signal;
const lines = (count: number) =>
  Array.from(
    { length: count },
    (_, i) =>
      `2026-11-30 12:00:00,000 ${i % 10 ? "INFO" : "ERROR"} [main] c.e.App - Order ${i} é\n`,
  ).join("");

async function find(name: string, content: string | Buffer) {
  await writeFile(join(root, name), content);
  const [file] = await findLogFiles(root, [name]);
  return file!;
}

/** Paths under the root that this process has open. */
function openPaths(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(root) ? [path] : [];
    } catch {
      return [];
    }
  });
}

describe("reading", () => {
  test("plain and compressed give the same, with progress in bytes on disk", async () => {
    const text = lines(20_000);
    const zipped = gzipSync(text);
    const progress: ReadProgress[] = [];
    const plain = await analyzeFile(await find("a.log", text), never, () => {});
    const file = await find("a.log.gz", zipped);
    const packed = await analyzeFile(file, never, (read) => progress.push(read));
    expect(packed).toEqual({
      ...plain,
      file: "a.log.gz",
      bytes: zipped.length,
      isCompressed: true,
    });
    expect(plain).toMatchObject({ lines: 20_000, problem: null, countsByLevel: { error: 2000 } });
    expect(progress.at(-1)).toEqual({ bytesRead: zipped.length, lines: 20_000, errors: 2000 });
    expect(progress.length).toBeGreaterThan(2);
  });

  test("several gzip members in one file, as log rotation leaves them", async () => {
    const file = await find("a.gz", Buffer.concat([gzipSync(lines(10)), gzipSync(lines(20))]));
    expect((await analyzeFile(file, never, () => {})).lines).toBe(30);
  });

  test("byte order marks and Windows line ends", async () => {
    const line = "2026-11-30 12:00:00 ERROR naïve\r\n";
    const utf8 = await analyzeFile(await find("8.log", `\ufeff${line}`), never, () => {});
    const utf16 = Buffer.from(`\ufeff${line}`, "utf16le");
    const wide = await analyzeFile(await find("16.log", utf16), never, () => {});
    for (const { groups, format } of [utf8, wide]) {
      expect(format).toBe("plain");
      expect(groups).toMatchObject([{ level: "error", template: "naïve", count: 1 }]);
    }
  });

  test("a log that is being written is read up to the length it was found with", async () => {
    const file = await find("a.log", lines(10));
    await appendFile(join(root, "a.log"), lines(5));
    expect((await analyzeFile(file, never, () => {})).lines).toBe(10);
  });

  test("a log that was emptied meanwhile is read as it is", async () => {
    const file = await find("a.log", lines(10));
    await truncate(join(root, "a.log"), 0);
    expect(await analyzeFile(file, never, () => {})).toMatchObject({ lines: 0, problem: null });
  });

  test.each(["a.log", "a.gz"])("the event loop turns after every block of %s", async (name) => {
    // Compresses so well that one block on disk holds the whole text.
    const text = "2026-11-30 12:00:00 ERROR x\n".repeat(200_000);
    const file = await find(name, name === "a.gz" ? gzipSync(text) : text);
    let turns = 0;
    let timer = setImmediate(function turn() {
      turns++;
      timer = setImmediate(turn);
    });
    let blocks = 0;
    await analyzeFile(file, never, () => {
      blocks++;
    });
    clearImmediate(timer);
    expect(blocks).toBeGreaterThan(20);
    expect(turns).toBeGreaterThanOrEqual(blocks - 1);
  });
});

describe("damaged gzip keeps what was read before", () => {
  const zipped = gzipSync(lines(50_000), { level: 1 });

  test("truncated", async () => {
    const file = await find("a.gz", zipped.subarray(0, zipped.length >> 1));
    const analysis = await analyzeFile(file, never, () => {});
    expect(analysis.problem).toBe('"a.gz" ends in the middle of its compressed data (truncated).');
    expect(analysis.lines).toBeGreaterThan(1000);
  });

  test("truncated by one byte", async () => {
    const analysis = await analyzeFile(await find("a.gz", zipped.subarray(0, -1)), never, () => {});
    expect(analysis.problem).toContain("truncated");
    expect(analysis.lines).toBe(50_000);
  });

  test("altered in the middle", async () => {
    const altered = Buffer.from(zipped);
    altered.fill(0xff, altered.length >> 1, (altered.length >> 1) + 50);
    const analysis = await analyzeFile(await find("a.gz", altered), never, () => {});
    expect(analysis.problem).toMatch(/^The compressed data of "a\.gz" is damaged: /);
  });
});

describe("cancelling", () => {
  test.each(["a.log", "a.gz"])("in the middle of %s ends at once and closes it", async (name) => {
    const text = lines(100_000);
    const file = await find(name, name === "a.gz" ? gzipSync(text) : text);
    const cancel = new AbortController();
    const reason = new Error("no longer wanted");
    let blocks = 0;
    const reading = analyzeFile(file, cancel.signal, () => {
      if (++blocks === 2) cancel.abort(reason);
    });
    await expect(reading).rejects.toBe(reason);
    expect(blocks).toBe(2);
    if (existsSync("/proc/self/fd")) await expect.poll(openPaths).toEqual([]);
  });

  test("by throwing from the progress callback closes the file too", async () => {
    const file = await find("a.log", lines(50_000));
    const reading = analyzeFile(file, never, () => {
      throw new RangeError("stop");
    });
    await expect(reading).rejects.toThrow("stop");
    if (existsSync("/proc/self/fd")) await expect.poll(openPaths).toEqual([]);
  });
});
