import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzeBlocks } from "../../server/tasks/analyze-logs/analyze-file.ts";
import { timeText } from "../../server/tasks/analyze-logs/log-time.ts";
import { analyzeText, groupLines } from "./analyze-text.ts";

describe("stack traces", () => {
  const log = `2026-11-30 12:00:00,000 INFO  [main] c.e.App - started
2026-11-30 12:00:01,000 ERROR [http-1] c.e.Checkout - Checkout 17 failed
java.lang.NullPointerException: no cart
\tat c.e.Checkout.total(Checkout.java:118)
Caused by: java.io.IOException: gone
\tat c.e.Cart.read(Cart.java:7)

2026-11-30 12:00:02,000 ERROR [http-2] c.e.Checkout - Checkout 18 failed
java.net.ConnectException: refused
2026-11-30 12:00:03,000 ERROR [http-3] c.e.Checkout - Checkout 19 failed
java.lang.NullPointerException: no cart
`;

  test("belong to the event before them, and the exception tells groups apart", async () => {
    const analysis = await analyzeText(log);
    expect(groupLines(analysis)).toEqual([
      "error ×2 Checkout <n> failed (java.lang.NullPointerException)",
      "error ×1 Checkout <n> failed (java.net.ConnectException)",
      "info ×1 started",
    ]);
    expect(analysis).toMatchObject({
      format: "log4j",
      lines: 11,
      events: 4,
      unrecognizedLines: 0,
      countsByLevel: { error: 3, warning: 0, info: 1, debug: 0, unknown: 0 },
    });
    expect(analysis.groups[0]?.example).toEqual({
      lineNumber: 2,
      text: log.split("\n").slice(1, 6).join("\n"),
    });
    expect([analysis.firstAt, analysis.lastAt].map(timeText)).toEqual([
      "2026-11-30T12:00:00.000Z",
      "2026-11-30T12:00:03.000Z",
    ]);
  });

  test("come out the same however the file is cut into blocks", async () => {
    const expected = await analyzeText(log);
    for (const blockLength of [1, 7, 64]) {
      expect(await analyzeText(log, { blockLength })).toEqual(expected);
    }
  });

  test("Python's end with the exception", async () => {
    const analysis = await analyzeText(`2026-11-30 12:00:00,000 - shop - ERROR - order 7 failed
Traceback (most recent call last):
  File "/srv/shop.py", line 3, in place
ValueError: no stock
2026-11-30 12:00:01,000 - shop - INFO - next
`);
    expect(groupLines(analysis)).toEqual([
      "error ×1 order <n> failed (ValueError)",
      "info ×1 next",
    ]);
  });

  test("a crash report after a harmless event is an event of its own", async () => {
    const analysis = await analyzeText(`2026-11-30T12:00:00Z INFO serving
2026-11-30T12:00:01Z INFO still serving
panic: runtime error: index out of range
goroutine 1 [running]:
\tmain.go:12
`);
    expect(groupLines(analysis)).toEqual([
      "error ×1 panic: runtime error: index out of range",
      "info ×1 serving",
      "info ×1 still serving",
    ]);
    expect(analysis.unrecognizedLines).toBe(1);
    expect(analysis.groups[0]?.example.text).toContain("main.go:12");
  });

  test("PostgreSQL's additions belong to their message", async () => {
    const analysis = await analyzeText(`2026-11-30 12:00:00.000 UTC [7] ERROR:  deadlock detected
2026-11-30 12:00:00.000 UTC [7] DETAIL:  Process 7 waits.
\tProcess 8 waits.
2026-11-30 12:00:00.000 UTC [7] HINT:  See server log for query details.
2026-11-30 12:00:01.000 UTC [9] LOG:  checkpoint starting: time
`);
    expect(analysis).toMatchObject({ format: "plain", events: 2, unrecognizedLines: 0 });
    expect(analysis.groups[0]?.example.text.split("\n")).toHaveLength(4);
  });
});

describe("files that are no one thing", () => {
  test("lines of several formats are all read, and the most frequent names the file", async () => {
    const analysis = await analyzeText(`Nov 30 12:00:00 web1 app[1]: started
Nov 30 12:00:01 web1 app[1]: serving
{"level":50,"time":1796040002000,"msg":"failed"}
192.0.2.7 - - [30/Nov/2026:12:00:03 +0000] "GET / HTTP/1.1" 500 5 "-" "curl/8"
what is this
`);
    expect(analysis.format).toBe("syslog");
    expect(analysis.formats).toEqual([
      { name: "syslog", lines: 2 },
      { name: "json", lines: 1 },
      { name: "access", lines: 1 },
    ]);
    expect(analysis.countsByLevel).toEqual({ error: 2, warning: 0, info: 2, debug: 0, unknown: 1 });
    expect(analysis.unrecognizedLines).toBe(1);
  });

  test("text without any format is counted line by line, errors by their words", async () => {
    const analysis = await analyzeText("hello 1\nhello 2\ncould not: failed\n\n  indented\n");
    expect(analysis).toMatchObject({ format: null, lines: 5, events: 3, unrecognizedLines: 3 });
    expect(groupLines(analysis)).toEqual(["error ×1 could not: failed", "unknown ×2 hello <n>"]);
  });

  test("an empty file has nothing", async () => {
    expect(await analyzeText("")).toMatchObject({
      format: null,
      lines: 0,
      events: 0,
      groups: [],
      rates: { buckets: [] },
    });
  });

  test("every line that is not blank and not part of another is one event of one level", async () => {
    const line = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(
        "2026-11-30 12:00:00 ERROR x",
        '{"level":30}',
        "\tat x",
        "Nov 30 12:00:00 h a: b",
        "",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (lines) => {
        const analysis = await analyzeText(lines.join("\n"));
        const sum = Object.values(analysis.countsByLevel).reduce((a, b) => a + b, 0);
        expect(sum).toBe(analysis.events);
        expect(analysis.groups.reduce((total, { count }) => total + count, 0)).toBe(sum);
        expect(analysis.events).toBeLessThanOrEqual(analysis.lines);
      }),
    );
  });
});

describe("dpkg", () => {
  test("a package left in the middle is an error, one that waits a warning", async () => {
    const analysis = await analyzeText(`2026-11-30 12:00:00 startup packages configure
2026-11-30 12:00:00 status half-configured curl:amd64 7.88
2026-11-30 12:00:01 status installed curl:amd64 7.88
2026-11-30 12:00:01 status half-configured nginx:amd64 1.22
2026-11-30 12:00:02 status unpacked tzdata:all 2025b
2026-11-30 12:00:03 status half-installed old:all 1
2026-11-30 12:00:03 status not-installed old:all <none>
`);
    expect(groupLines(analysis).slice(0, 2)).toEqual([
      "error ×1 nginx:amd64 was left half-configured",
      "warning ×1 tzdata:all was left unpacked",
    ]);
    expect(analysis.groups[0]?.example).toEqual({
      lineNumber: 4,
      text: "2026-11-30 12:00:01 status half-configured nginx:amd64 1.22",
    });
    expect(analysis.format).toBe("dpkg");
  });
});

describe("hostile and huge input", () => {
  test.each([
    ["no line end at all", "x".repeat(3_000_000)],
    ["a JSON object that never ends", `{"a":"${"\\".repeat(1_000_000)}`],
    ["quotes", `192.0.2.7 - - [30/Nov/2026:12:00:00 +0000] "${'\\"'.repeat(500_000)}`],
    ["brackets", `2026-11-30 12:00:00 ${"[".repeat(500_000)}`],
    ["brackets and words", `2026-11-30 12:00:00 ERROR ${"[a] ".repeat(200_000)}`],
    ["dots after a level", `2026-11-30 12:00:00 ERROR ${"a.".repeat(300_000)}`],
    ["structured data", `<11>1 2026-11-30T12:00:00Z h a - - ${'[x y="]'.repeat(200_000)}`],
    ["digits", `2026-11-30 12:00:00 INFO ${"1".repeat(1_000_000)}`],
    ["colons", `2026-11-30 12:00:00 INFO ${"1:".repeat(500_000)}`],
    ["spaces", `Nov 30 12:00:00 ${" ".repeat(1_000_000)}`],
    ["words of errors", "no error ".repeat(200_000)],
    ["apostrophes", `2026-11-30 12:00:00 INFO ${"'".repeat(1_000_000)}`],
  ])("%s takes no time worth mentioning", async (_, line) => {
    const startedAt = performance.now();
    const analysis = await analyzeText(`${line}\n${line}\n`, { blockLength: 65_536 });
    // A quadratic step would take minutes here.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(analysis.lines).toBe(2);
  });

  test("a line that is too long is cut and counted", async () => {
    const analysis = await analyzeText(`2026-11-30 12:00:00 ERROR ${"x".repeat(400_000)}\nshort\n`);
    expect(analysis).toMatchObject({ lines: 2, cutLines: 1, countsByLevel: { error: 1 } });
    expect(analysis.groups[0]?.example.text.length).toBeLessThan(1300);
  });

  test("memory stays the same from 8 MB to 48 MB of messages that all differ", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heapMB = () => {
      collect();
      return process.memoryUsage().heapUsed / 1e6;
    };
    const letters = (n: number) =>
      [...n.toString(36)]
        .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 36)))
        .join("");
    let early = 0;
    let late = 0;
    async function* blocks() {
      let bytesRead = 0;
      for (let block = 0; bytesRead < 48e6; block++) {
        const lines = Array.from({ length: 1000 }, (_, i) => {
          // A few messages of each block come again and so are kept: they must not keep the block.
          const word = letters(block * 1000 + (i < 8 ? i >> 1 : i));
          return `2026-11-30 12:00:00,000 ERROR [main] c.e.App - ${word} of ${word} in ${word} and nothing else`;
        });
        // Decoded anew, as one string, the way a file is.
        const text = Buffer.from(`${lines.join("\n")}\n`).toString();
        bytesRead += text.length;
        if (early === 0 && bytesRead > 8e6) early = heapMB();
        yield { text, bytesRead };
      }
      late = heapMB();
    }
    const file = { name: "big.log", bytes: 48e6, modifiedAt: 0, isCompressed: false };
    const analysis = await analyzeBlocks(file, blocks(), () => {});
    expect(analysis.lines).toBeGreaterThan(400_000);
    expect(analysis.countsByLevel.error).toBe(analysis.lines);
    expect(late - early).toBeLessThan(5);
    const grouped = analysis.lines - analysis.ungroupedEvents;
    expect(grouped).toBeGreaterThanOrEqual(analysis.groupCount);
    expect(analysis.ungroupedEvents).toBeGreaterThan(400_000);
    // What is journaled of it is small too.
    expect(JSON.stringify(analysis).length).toBeLessThan(300_000);
  }, 60_000);
});
