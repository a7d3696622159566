import { describe, expect, test } from "vitest";
import { LineReader } from "../../server/tasks/analyze-logs/line-reader.ts";
import { timeText } from "../../server/tasks/analyze-logs/log-time.ts";

const facts = { modifiedAt: Date.UTC(2026, 10, 30, 18) };
const noon = "2026-11-30T12:00:00.000Z";

/** Reads one line as the only one of a file: `format level time [source] message`. */
function read(line: string): string | null {
  const reader = new LineReader(facts, [line]);
  const found = reader.read(line, 1);
  if (!found) return null;
  const source = found.source ? `[${found.source}] ` : "";
  return `${reader.formats[0]?.name} ${found.level} ${timeText(found.at)} ${source}${found.message}`;
}

describe("syslog", () => {
  test.each([
    ["Nov 30 12:00:00 web1 sshd[812]: Accepted key", `syslog info ${noon} [sshd] Accepted key`],
    ["Nov 30 12:00:00 web1 sshd[812]: error: no key", `syslog error ${noon} [sshd] error: no key`],
    ["Nov 30 12:00:00 web1 CRON: done, 0 errors", `syslog info ${noon} [CRON] done, 0 errors`],
    ["<11>Nov 30 12:00:00 web1 app: hello", `syslog error ${noon} [app] hello`],
    ["<12>Nov 30 12:00:00 web1 app[1]: hello", `syslog warning ${noon} [app] hello`],
    ["<191>Nov 30 12:00:00 web1 app[1]: hello", `syslog debug ${noon} [app] hello`],
    [
      "Nov 30 12:00:00 web1 kernel: [  12.345678] usb 1-1: new",
      `syslog info ${noon} [kernel] usb 1-1: new`,
    ],
    [
      "2026-11-30T13:00:00.000000+01:00 web1 systemd[1]: Started x.",
      `syslog info ${noon} [systemd] Started x.`,
    ],
    [
      "Nov 30 12:00:00 web1 postfix/smtp[9]: warning: slow",
      `syslog warning ${noon} [postfix/smtp] warning: slow`,
    ],
    ["<165>1 2026-11-30T12:00:00Z web1 app 812 ID47 - hello", `syslog info ${noon} [app] hello`],
    [
      '<131>1 2026-11-30T12:00:00.000Z web1 app - - [x@1 a="b]\\""][y@1] hello',
      `syslog error ${noon} [app] hello`,
    ],
    ["<131>1 - - app - - - \ufeffhello", "syslog error null [app] hello"],
  ])("%s", (line, expected) => {
    expect(read(line)).toBe(expected);
  });
});

describe("JSON lines", () => {
  test.each([
    ['{"level":30,"time":1796040000000,"msg":"hi"}', `json info ${noon} hi`],
    [
      '{"level":50,"time":1796040000000,"msg":"failed","err":{"type":"TypeError","message":"x is\\nnot"}}',
      `json error ${noon} failed: TypeError: x is`,
    ],
    ['{"level":60,"time":1796040000,"msg":"bye"}', `json error ${noon} bye`],
    ['{"level":"warn","timestamp":"2026-11-30T12:00:00Z","message":"w"}', `json warning ${noon} w`],
    [
      '{"severity":"ERROR","time":"2026-11-30T12:00:00.000Z","message":"e"}',
      `json error ${noon} e`,
    ],
    ['{"lvl":"dbug","ts":1796040000.0,"msg":"error inside"}', `json error ${noon} error inside`],
    ['{"lvl":"debug","ts":1796040000.0,"msg":"error inside"}', `json debug ${noon} error inside`],
    [
      '{"@timestamp":"2026-11-30T12:00:00Z","log":{"level":"error"},"message":"e"}',
      `json error ${noon} e`,
    ],
    [
      '{"@timestamp":"2026-11-30T12:00:00Z","log.level":"error","message":"e"}',
      `json error ${noon} e`,
    ],
    [
      '{"t":{"$date":"2026-11-30T12:00:00.000+00:00"},"s":"W","c":"NETWORK","msg":"m"}',
      `json warning ${noon} m`,
    ],
    [
      '{"PRIORITY":"3","__REALTIME_TIMESTAMP":"1796040000000000","MESSAGE":"m","SYSLOG_IDENTIFIER":"sshd"}',
      `json error ${noon} [sshd] m`,
    ],
    ['{"@t":"2026-11-30T12:00:00Z","@l":"Warning","@mt":"m {x}"}', `json warning ${noon} m {x}`],
    ['{"level":"error","error":"boom"}', "json error null boom"],
    ['{"a":1}', "json unknown null (no message)"],
    ['{"level":null,"message":{"a":1}}', 'json unknown null {"a":1}'],
    ['  {"level":"info","msg":"indented"}', "json info null indented"],
  ])("%s", (line, expected) => {
    expect(read(line)).toBe(expected);
  });

  test.each(['{"level":30', "{}x", "[1,2]", "null", "{broken}"])("%s is none", (line) => {
    expect(read(line)).toBeNull();
  });
});

describe("access logs", () => {
  const line = (request: string, status: string) =>
    `192.0.2.7 - alice [30/Nov/2026:13:00:00 +0100] "${request}" ${status} 12 "-" "curl/8"`;

  test.each([
    [line("GET /cart HTTP/1.1", "200"), `access info ${noon} 200 GET /cart HTTP/1.1`],
    [line("GET /cart HTTP/1.1", "304"), `access info ${noon} 304 GET /cart HTTP/1.1`],
    [line("GET /cart HTTP/1.1", "404"), `access warning ${noon} 404 GET /cart HTTP/1.1`],
    [line("POST /cart HTTP/1.1", "503"), `access error ${noon} 503 POST /cart HTTP/1.1`],
    [line('GET /\\"x\\" HTTP/1.1', "400"), `access warning ${noon} 400 GET /\\"x\\" HTTP/1.1`],
    [
      '2001:db8::1 - - [30/Nov/2026:12:00:00 +0000] "GET / HTTP/2.0" 200 5',
      `access info ${noon} 200 GET / HTTP/2.0`,
    ],
    [
      'shop.example.com:443 192.0.2.7 - - [30/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 500 5',
      `access error ${noon} 500 GET / HTTP/1.1`,
    ],
    ['192.0.2.7 - - [30/Nov/2026:12:00:00 +0000] "-" 408 0', `access warning ${noon} 408 -`],
  ])("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test("requests to one endpoint are one group, whatever the ids and the query", () => {
    const reader = new LineReader(facts, [line("GET / HTTP/1.1", "200")]);
    const templateOf = (request: string) => reader.read(line(request, "200"), 1)?.template;
    expect(templateOf("GET /orders/17/items?x=1 HTTP/1.1")).toBe("200 GET /orders/<n>/items");
    expect(templateOf("GET /u/1b4e28ba-2fa1-11d2-883f-b9a761bde3fb HTTP/1.1")).toBe(
      "200 GET /u/<uuid>",
    );
    expect(templateOf("\\x16\\x03\\x01")).toBe("200 (no valid request)");
  });
});

describe("error logs of web servers", () => {
  test.each([
    [
      '2026/11/30 12:00:00 [error] 12#0: *3 open() "/srv/x" failed (2: No such file), client: 192.0.2.7, server: x',
      `web-error error ${noon} open() "/srv/x" failed (2: No such file)`,
    ],
    ["2026/11/30 12:00:00 [warn] 12#12: *3 buffered", `web-error warning ${noon} buffered`],
    ["2026/11/30 12:00:00 [emerg] 12#12: no config", `web-error error ${noon} no config`],
    [
      "[Mon Nov 30 12:00:00.123456 2026] [core:error] [pid 12:tid 34] [client 192.0.2.7:5000] AH00124: loop",
      "web-error error 2026-11-30T12:00:00.123Z AH00124: loop",
    ],
    [
      "[Mon Nov 30 12:00:00 2026] [notice] Apache configured",
      `web-error info ${noon} Apache configured`,
    ],
  ])("%s", (line, expected) => {
    expect(read(line)).toBe(expected);
  });
});

describe("log4j and its relatives", () => {
  const halfSecond = "2026-11-30T12:00:00.500Z";
  test.each([
    [
      "2026-11-30 12:00:00,500 ERROR [main] com.example.App - no cart",
      `log4j error ${halfSecond} no cart`,
    ],
    [
      "2026-11-30 12:00:00,500 [main] WARN  com.example.App - slow",
      `log4j warning ${halfSecond} slow`,
    ],
    [
      "2026-11-30 12:00:00.500  INFO 2211 --- [main] c.e.ShopApplication : Started: 3 s",
      `log4j info ${halfSecond} Started: 3 s`,
    ],
    [
      "2026-11-30T12:00:00.500Z  WARN 2211 --- [shop] [http-1] c.e.Pool      : low",
      `log4j warning ${halfSecond} low`,
    ],
    [
      "2026-11-30 12:00:00,500 - shop.orders - ERROR - no order",
      `log4j error ${halfSecond} no order`,
    ],
    ["[2026-11-30 12:00:00,500] ERROR [main] c.e.App - x - y", `log4j error ${halfSecond} x - y`],
    [
      "12:00:00.500 [main] DEBUG c.e.App - only a time of day",
      "log4j debug null only a time of day",
    ],
    ["2026-11-30 12:00:00,500 TRACE c.e.App: hi", `log4j debug ${halfSecond} hi`],
  ])("%s", (line, expected) => {
    expect(read(line)).toBe(expected);
  });
});

describe("plain text", () => {
  test.each([
    ["2026-11-30T12:00:00Z ERROR no disk left", `plain error ${noon} no disk left`],
    ["2026-11-30T12:00:00Z error no disk left", `plain error ${noon} no disk left`],
    ["2026-11-30 12:00:00 [warning] hot: 90", `plain warning ${noon} hot: 90`],
    ["2026-11-30 12:00:00 | INFO | started", `plain info ${noon} started`],
    ["[2026-11-30T12:00:00Z] FATAL: gone", `plain error ${noon} gone`],
    ["2026-11-30 12:00:00 WARNING: ERROR was said", `plain warning ${noon} ERROR was said`],
    ["2026-11-30 12:00:00.000 UTC [77] FATAL:  no such role", `plain error ${noon} no such role`],
    ["2026-11-30 12:00:00.000 UTC [77] app@shop LOG:  checkpoint", `plain info ${noon} checkpoint`],
    [
      "2026-11-30T12:00:00.000000Z 0 [Warning] [MY-010068] [Server] cert",
      `plain warning ${noon} [MY-010068] [Server] cert`,
    ],
    ["2026/11/30 12:00:00 listening", `plain unknown ${noon} listening`],
    ["2026/11/30 12:00:00 panic: no route", `plain error ${noon} panic: no route`],
    ["2026-11-30 12:00:00 Config loaded", `plain unknown ${noon} Config loaded`],
    ["ERROR: no time", "plain error null no time"],
    ["[warn] no time", "plain warning null no time"],
    ["INFO  no time", "plain info null no time"],
  ])("%s", (line, expected) => {
    expect(read(line)).toBe(expected);
  });

  test.each(["hello world", "Hello: world", "Info about things", "2026", "12:00", "-- Boot 12 --"])(
    "%s is of no format",
    (line) => {
      expect(read(line)).toBeNull();
    },
  );
});

describe("dpkg.log", () => {
  test.each([
    ["2026-11-30 12:00:00 startup archives unpack", `dpkg info ${noon} startup archives unpack`],
    [
      "2026-11-30 12:00:00 status installed curl:amd64 7.88.1-10",
      `dpkg info ${noon} status installed curl:amd64 7.88.1-10`,
    ],
    ["2026-11-30 12:00:00 conffile /etc/x keep", `dpkg info ${noon} conffile /etc/x keep`],
  ])("%s", (line, expected) => {
    expect(read(line)).toBe(expected);
  });
});
