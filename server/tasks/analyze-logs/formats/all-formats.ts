import type { LogFormat } from "../log-format.ts";
import { accessLog } from "./access-log.ts";
import { dpkgLog } from "./dpkg-log.ts";
import { jsonLines } from "./json-lines.ts";
import { syslog } from "./syslog.ts";
import { log4j, plain } from "./timed-text.ts";
import { webErrorLog } from "./web-error-log.ts";

/** The formats in the order they are tried: what accepts nearly anything comes last. */
export const allFormats: readonly LogFormat[] = [
  jsonLines,
  accessLog,
  webErrorLog,
  syslog,
  dpkgLog,
  log4j,
  plain,
];
