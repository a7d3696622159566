import { statSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { roles } from "./core/permission.ts";
import type { SignOnSettings } from "./core/sign-on.ts";

/** What the operator of an installation can set; see the README for the list. */
const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Settings {
  port: number;
  /** The address to listen on. */
  host: string;
  /** Absolute path of the folder for the database and the secret. */
  dataDir: string;
  /** Absolute path of the SQLite file. */
  databaseFile: string;
  /** Absolute path under which task types may read files. */
  filesRoot: string;
  /** A key for programs, beside those that are made in the dashboard; null for none. */
  apiKey: string | null;
  /** Whom push services may write to about this server. */
  pushContact: string;
  /** `none`: nobody signs in, and whoever reaches the server may do everything. */
  auth: "sign_in" | "none";
  /** The first admin; null when a set-up link is to make one. */
  admin: { email: string; password: string } | null;
  /** A provider at which people may sign in; null for none. */
  signOn: SignOnSettings | null;
  /** Proxies in front, each of which adds the address it was called from to X-Forwarded-For. */
  proxies: number;
  /** Calls a second that one key, person or address may make. */
  callsPerSecond: number;
  /** Long polls and streams that one key or person may have open. */
  openCalls: number;
  logLevel: LogLevel;
  /** Signs sessions and encrypts secret values; null means one kept in the data folder. */
  secret: string | null;
  /** Earlier ones, which still decrypt what they encrypted; null when they are lost. */
  oldSecrets: string[] | null;
  /** Absolute path of an ES module with more task types. */
  tasksModule: string | null;
  /** Handlers that may work at the same time. */
  concurrency: number;
  /** Seconds until the task of a vanished worker is taken over. */
  leaseSeconds: number;
  /** Seconds that running tasks get to reach a safe point when the server stops. */
  drainSeconds: number;
  /** Seconds a task is kept after its end; null keeps it for ever. */
  retainSeconds: number | null;
  /** Names, lower case and without a port, that the Host header may have beside the usual ones. */
  allowedHosts: string[];
}

/** One or more settings that cannot be used. The message has a line for each. */
export class InvalidSettings extends Error {
  constructor(problems: string[]) {
    super(`These settings cannot be used:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    this.name = "InvalidSettings";
  }
}

const hostName = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i;

const wholeNumber = (least: number, most: number) =>
  z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(least, `must be ${least} to ${most}`)
    .max(most, `must be ${least} to ${most}`);

/** Says that earlier secrets are gone, so that the server starts without what they encrypted. */
export const lostSecrets = "lost";

const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const secondsPerDay = 86_400;

const shape = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[a-z0-9:._-]+$/i, "must be an address to listen on, such as 127.0.0.1 or 0.0.0.0")
    .default("127.0.0.1"),
  TOOLTHREAD_DATA_DIR: z.string().default("./data"),
  TOOLTHREAD_DATABASE_URL: z
    .string()
    .refine((url) => !/^postgres(ql)?:/.test(url), {
      error: "names a Postgres database, which this version cannot use yet; give file:PATH",
      abort: true,
    })
    .refine(
      (url) => /^file:.+/.test(url),
      "must be file:PATH, for example file:./data/toolthread.db",
    )
    .optional(),
  TOOLTHREAD_FILES_ROOT: z.string().default("examples/logs"),
  TOOLTHREAD_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces, as it is sent in a header")
    .optional(),
  TOOLTHREAD_PUSH_CONTACT: z
    .string()
    .regex(/^(mailto:\S+@|https:\/\/)\S+$/, "must be a mailto: or https: URL")
    .default("mailto:toolthread@example.com"),
  TOOLTHREAD_AUTH: z
    .enum(["sign-in", "none"], "must be sign-in, or none to let everybody in on this machine")
    .default("sign-in"),
  TOOLTHREAD_ADMIN_EMAIL: z.email("must be an e-mail address").optional(),
  TOOLTHREAD_ADMIN_PASSWORD: z
    .string()
    .min(10, "must have 10 characters or more")
    .max(128, "must have 128 characters or fewer")
    .optional(),
  TOOLTHREAD_OIDC_ISSUER: z
    .url({
      protocol: /^https?$/,
      error: "must be the URL of an OpenID Connect provider, such as https://login.example.com",
    })
    .optional(),
  TOOLTHREAD_OIDC_CLIENT_ID: z.string().max(500).optional(),
  TOOLTHREAD_OIDC_CLIENT_SECRET: z.string().max(500).optional(),
  TOOLTHREAD_OIDC_NAME: z.string().trim().max(40, "must have 40 characters or fewer").optional(),
  TOOLTHREAD_OIDC_ROLE: z
    .enum(roles, `must be one of ${roles.join(", ")}; leave it out to let in only who is invited`)
    .optional(),
  TOOLTHREAD_OIDC_GROUPS_CLAIM: z.string().max(200).optional(),
  TOOLTHREAD_OIDC_SCOPES: z
    .string()
    .refine((scopes) => scopes.split(/\s+/).includes("openid"), 'must have "openid" among them')
    .optional(),
  TOOLTHREAD_PROXIES: wholeNumber(0, 10).default(0),
  TOOLTHREAD_RATE_LIMIT: wholeNumber(1, 1_000_000).default(500),
  TOOLTHREAD_LOG_LEVEL: z.enum(logLevels).default("info"),
  TOOLTHREAD_OPEN_CALLS: wholeNumber(1, 1_000_000).default(1000),
  TOOLTHREAD_SECRET: z
    .string()
    .min(16, "must have 16 characters or more; leave it out to have one made in the data folder")
    .optional(),
  TOOLTHREAD_OLD_SECRETS: z
    .string()
    .default("")
    .transform((list) => (list.trim() === lostSecrets ? null : listOf(list)))
    .refine(
      (secrets) => secrets?.every((secret) => secret.length >= 16) ?? true,
      `must be earlier values of TOOLTHREAD_SECRET, separated by commas, or "${lostSecrets}"`,
    ),
  TOOLTHREAD_TASKS: z.string().optional(),
  TOOLTHREAD_CONCURRENCY: wholeNumber(1, 100_000).default(1000),
  TOOLTHREAD_LEASE_SECONDS: wholeNumber(2, 3600).default(15),
  TOOLTHREAD_DRAIN_SECONDS: wholeNumber(0, 3600).default(10),
  TOOLTHREAD_RETENTION_DAYS: wholeNumber(1, 36_500).optional(),
  TOOLTHREAD_ALLOWED_HOSTS: z
    .string()
    .default("")
    .transform((list) => listOf(list.toLowerCase()))
    .refine(
      (names) => names.every((name) => hostName.test(name)),
      "must be host names without scheme and port, separated by commas",
    ),
});

/**
 * Reads and checks the settings. An empty one counts as not set. Relative paths are resolved
 * against `cwd`.
 *
 * @throws InvalidSettings naming every wrong one and what would be right.
 */
export function readSettings(
  env: Record<string, string | undefined> = process.env,
  cwd = process.cwd(),
): Settings {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = shape.safeParse(set);
  const problems = parsed.success
    ? contradictions(parsed.data)
    : parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}.`);
  problems.push(...unknownSettings(set), ...missingRoot(set.TOOLTHREAD_FILES_ROOT, cwd));
  if (!parsed.success || problems.length > 0) throw new InvalidSettings(problems);

  const value = parsed.data;
  const dataDir = resolve(cwd, value.TOOLTHREAD_DATA_DIR);
  const file = value.TOOLTHREAD_DATABASE_URL?.slice("file:".length);
  const tasks = value.TOOLTHREAD_TASKS;
  return {
    port: value.PORT,
    host: value.HOST,
    dataDir,
    databaseFile: file ? resolve(cwd, file) : resolve(dataDir, "toolthread.db"),
    filesRoot: resolve(cwd, value.TOOLTHREAD_FILES_ROOT),
    apiKey: value.TOOLTHREAD_API_KEY ?? null,
    pushContact: value.TOOLTHREAD_PUSH_CONTACT,
    auth: value.TOOLTHREAD_AUTH === "none" ? "none" : "sign_in",
    admin: adminOf(value),
    signOn: signOnOf(value),
    proxies: value.TOOLTHREAD_PROXIES,
    callsPerSecond: value.TOOLTHREAD_RATE_LIMIT,
    openCalls: value.TOOLTHREAD_OPEN_CALLS,
    logLevel: value.TOOLTHREAD_LOG_LEVEL,
    secret: value.TOOLTHREAD_SECRET ?? null,
    oldSecrets: value.TOOLTHREAD_OLD_SECRETS,
    tasksModule: tasks ? resolve(cwd, tasks) : null,
    concurrency: value.TOOLTHREAD_CONCURRENCY,
    leaseSeconds: value.TOOLTHREAD_LEASE_SECONDS,
    drainSeconds: value.TOOLTHREAD_DRAIN_SECONDS,
    retainSeconds: value.TOOLTHREAD_RETENTION_DAYS
      ? value.TOOLTHREAD_RETENTION_DAYS * secondsPerDay
      : null,
    allowedHosts: value.TOOLTHREAD_ALLOWED_HOSTS,
  };
}

/** Whether only programs on this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|::1|localhost)$/i.test(host);
}

type Values = z.output<typeof shape>;

function contradictions(value: Values): string[] {
  const found: string[] = [];
  if (value.TOOLTHREAD_AUTH === "none" && !isLoopback(value.HOST)) {
    found.push(
      `TOOLTHREAD_AUTH none lets everybody in who can reach ${value.HOST}, so it works with a ` +
        "loopback HOST only, such as 127.0.0.1. Leave it out to have people sign in.",
    );
  }
  if (value.TOOLTHREAD_ADMIN_EMAIL && !value.TOOLTHREAD_ADMIN_PASSWORD) {
    found.push("TOOLTHREAD_ADMIN_PASSWORD is missing beside TOOLTHREAD_ADMIN_EMAIL.");
  }
  if (value.TOOLTHREAD_ADMIN_PASSWORD && !value.TOOLTHREAD_ADMIN_EMAIL) {
    found.push("TOOLTHREAD_ADMIN_EMAIL is missing beside TOOLTHREAD_ADMIN_PASSWORD.");
  }
  return [...found, ...signOnProblems(value)];
}

function signOnProblems(value: Values): string[] {
  const found: string[] = [];
  const { TOOLTHREAD_OIDC_ISSUER: issuer, TOOLTHREAD_OIDC_CLIENT_ID: clientId } = value;
  const others = Object.keys(value).filter((name) => name.startsWith("TOOLTHREAD_OIDC_"));
  if (!issuer) {
    if (others.length > 0) found.push(`TOOLTHREAD_OIDC_ISSUER is missing beside ${others[0]}.`);
    return found;
  }
  if (!clientId) found.push("TOOLTHREAD_OIDC_CLIENT_ID is missing beside TOOLTHREAD_OIDC_ISSUER.");
  const { protocol, hostname } = new URL(issuer);
  if (protocol === "http:" && !isLoopback(hostname.replace(/^\[|\]$/g, ""))) {
    found.push(
      "TOOLTHREAD_OIDC_ISSUER must be https, because what is not encrypted can be forged.",
    );
  }
  if (value.TOOLTHREAD_AUTH === "none") {
    found.push(
      "TOOLTHREAD_OIDC_ISSUER is of no use where nobody signs in. Leave it out, or TOOLTHREAD_AUTH.",
    );
  }
  return found;
}

function signOnOf(value: Values): SignOnSettings | null {
  const { TOOLTHREAD_OIDC_ISSUER: issuer, TOOLTHREAD_OIDC_CLIENT_ID: clientId } = value;
  if (!issuer || !clientId) return null;
  return {
    issuer,
    clientId,
    clientSecret: value.TOOLTHREAD_OIDC_CLIENT_SECRET ?? null,
    name: value.TOOLTHREAD_OIDC_NAME ?? "single sign-on",
    role: value.TOOLTHREAD_OIDC_ROLE ?? null,
    groupsClaim: value.TOOLTHREAD_OIDC_GROUPS_CLAIM ?? null,
    scopes: value.TOOLTHREAD_OIDC_SCOPES ?? "openid email profile",
  };
}

function adminOf(value: Values): Settings["admin"] {
  const { TOOLTHREAD_ADMIN_EMAIL: email, TOOLTHREAD_ADMIN_PASSWORD: password } = value;
  return email && password ? { email, password } : null;
}

/** A setting nobody reads is a mistyped one, and its absence would go unnoticed. */
function unknownSettings(set: object): string[] {
  const known = Object.keys(shape.shape);
  return (
    Object.keys(set)
      .filter((name) => name.startsWith("TOOLTHREAD_") && !known.includes(name))
      // The command line's, which may be set where a server is started.
      .filter((name) => !["TOOLTHREAD_URL", "TOOLTHREAD_TASK", "TOOLTHREAD_DRIVER"].includes(name))
      .map((name) => `${name} is not a setting. There are ${known.join(", ")}.`)
  );
}

/** Nobody finds out from a failing task weeks later that the folder was mistyped. */
function missingRoot(name: string | undefined, cwd: string): string[] {
  if (name === undefined) return [];
  const path = resolve(cwd, name);
  try {
    if (statSync(path).isDirectory()) return [];
  } catch {
    // What cannot be looked at cannot be read from either.
  }
  return [`TOOLTHREAD_FILES_ROOT ${path} must be a folder that exists.`];
}

/** The environment as it is, for the command line and the commands it runs. */
export function environment(): NodeJS.ProcessEnv {
  return process.env;
}
