import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import next from "next";
import sirv from "sirv";
import { isToolthreadError } from "./core/errors.ts";
import { InvalidSettings, readSettings, type Settings } from "./env.ts";
import { createNodeServer } from "./node-server.ts";
import { sharedRuntime } from "./runtime.ts";
import { createServerLog } from "./server-log.ts";
import { openNotice, setUpNotice } from "./start-notices.ts";
import { surviveStrayRejections } from "./stray-rejections.ts";
import { version } from "./version.ts";

/** Seconds that responses under way get when the server stops. */
const closeSeconds = 5;

const isDevelopment = process.argv.includes("--dev");

await main().catch((error: unknown) => {
  const isForPeople = error instanceof InvalidSettings || isToolthreadError(error);
  const text = error instanceof Error ? (isForPeople ? error.message : error.stack) : String(error);
  process.stderr.write(`toolthread did not start. ${text}\n`);
  process.exit(1);
});

async function main(): Promise<void> {
  const settings = readSettings();
  const log = createServerLog(settings.logLevel);
  surviveStrayRejections(log);
  const runtime = await sharedRuntime();
  const serveFile = isDevelopment ? passOn : builtFiles();
  let handlePage: ReturnType<typeof pages.getRequestHandler> | null = null;
  const server = createNodeServer({
    ...runtime,
    proxies: settings.proxies,
    log: settings.logLevel === "debug" ? log : undefined,
    handlePage: (request, response) =>
      serveFile(request, response, () => void handlePage?.(request, response)),
  });
  const pages = next({
    dev: isDevelopment,
    dir: projectFolder(),
    hostname: settings.host,
    port: settings.port,
    // Next listens there for upgrades to web sockets, which only its hot reload has a use for. It
    // leaves all others open for ever; without it Node answers them like any other request.
    httpServer: isDevelopment ? server.http : createServer(),
  });
  await pages.prepare();
  handlePage = pages.getRequestHandler();

  const port = await server.listen(settings.port, settings.host).catch(async (error) => {
    await runtime.close();
    throw listenError(error, settings);
  });
  const url = urlOf(settings.host, port);
  process.stdout.write(`toolthread ${version} is ready at ${url}\n`);
  process.stdout.write(setUpNotice(url, runtime.setUpToken));
  process.stderr.write(openNotice(settings));

  onFirstSignal(async () => {
    await Promise.all([server.close(closeSeconds), runtime.drain()]);
    await runtime.close();
    process.exit(0);
  });
}

type ServeFile = (
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: () => void,
) => void;

const passOn: ServeFile = (_request, _response, otherwise) => otherwise();

/** The scripts, styles and fonts of the build, as the build compressed them; for ever the same. */
function builtFiles(): ServeFile {
  const root = "/_next/static";
  const serve = sirv(join(projectFolder(), ".next/static"), {
    brotli: true,
    gzip: true,
    etag: true,
    immutable: true,
    maxAge: 31_536_000,
  });
  return (request, response, otherwise) => {
    const { url = "/", method } = request;
    if (!url.startsWith(`${root}/`) || (method !== "GET" && method !== "HEAD")) return otherwise();
    request.url = url.slice(root.length);
    serve(request, response, () => {
      request.url = url;
      otherwise();
    });
  };
}

/** The first signal closes in order; whoever sends a second one does not want to wait. */
function onFirstSignal(close: () => Promise<void>): void {
  let isClosing = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isClosing) process.exit(1);
      isClosing = true;
      process.stdout.write("toolthread is closing. Press Ctrl+C again to stop at once.\n");
      close().catch((error: unknown) => {
        process.stderr.write(`toolthread did not close in order. ${String(error)}\n`);
        process.exit(1);
      });
    });
  }
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Settings): Error {
  if (error.code === "EADDRINUSE") {
    return new InvalidSettings([`PORT ${port} is in use on ${host}. Set PORT to a free one.`]);
  }
  if (error.code === "EACCES") {
    return new InvalidSettings([`PORT ${port} may not be used by this user. Set one above 1023.`]);
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new InvalidSettings([`HOST ${host} is no address of this machine.`]);
  }
  return error;
}

function urlOf(host: string, port: number): string {
  const isAny = host === "0.0.0.0" || host === "::";
  const name = isAny ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The folder of the application: compiled, this file lies one level deeper. */
function projectFolder(): string {
  const above = dirname(import.meta.dirname);
  return existsSync(`${above}/next.config.ts`) ? above : dirname(above);
}
