/**
 * What the HTTP surface costs, as ratios to Node's own HTTP server in the same run, and to the same
 * procedure behind a route of plain Next. All are measured in turns, round after round, and the
 * median of the rounds' ratios counts, so that whatever else the machine does meets all alike.
 *
 *     npm run bench:http
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { restClient } from "../support/rest-client.ts";
import { startServer, withDataDir } from "../support/server-process.ts";
import { holdRequests } from "./held-requests.ts";
import { measureLoad } from "./http-load.ts";

const rounds = 7;
const waitingRequests = 10_000;
const idleSeconds = 5;

interface Child {
  process: ChildProcess;
  port: number;
  paths: Record<string, string>;
}

interface Target {
  port: number;
  path: string;
}

await withDataDir(measureExchanges);
await measureWaitingPolls();

async function measureExchanges(dataDir: string): Promise<void> {
  const bare = await startChild("bare", dataDir);
  const own = await startChild("toolthread", dataDir);
  await withDataDir(async (nextDataDir) => {
    const next = await startServer("plain next start", { TOOLTHREAD_DATA_DIR: nextDataDir });
    const target = (child: Child, name: string) => ({
      port: child.port,
      path: child.paths[name] as string,
    });
    const targets = {
      bare: target(bare, "quick"),
      get: target(own, "get"),
      poll: target(own, "poll"),
      restGet: target(own, "restGet"),
      next: { port: next.port, path: await getPathOf(next.url) },
    };
    const p50 = await inTurns(targets, async (one) => (await measure(one, 1)).p50Micros);
    const rate = await inTurns(targets, async (one) => (await measure(one, 32)).perSecond);
    line("p50 of tasks.get / of a bare exchange", median(p50, "get", "bare"), "at most 5");
    line(
      "p50 of a poll with old news / of a bare exchange",
      median(p50, "poll", "bare"),
      "at most 5",
    );
    line("p50 of GET /tasks/{taskId} / of a bare exchange", median(p50, "restGet", "bare"));
    line(
      "tasks.get per second / behind a plain Next route",
      median(rate, "get", "next"),
      "at least 2.5",
    );
    line("tasks.get per second / bare exchanges per second", median(rate, "get", "bare"));
    await next.stop("SIGKILL");
  });
  await Promise.all([endChild(bare), endChild(own)]);
}

async function measureWaitingPolls(): Promise<void> {
  const bare = await withDataDir((dataDir) => measureWaiting("bare", dataDir));
  const own = await withDataDir((dataDir) => measureWaiting("toolthread", dataDir));
  const memory = own.bytesEach / bare.bytesEach;
  line("memory of a waiting poll / of a bare waiting request", memory, "at most 2");
  line("memory of a waiting poll, KB", own.bytesEach / 1024, "under 35");
  line(`CPU while ${waitingRequests} polls wait, % of a core`, own.idlePercent, "near zero");
  line("seconds until a shutdown has answered them all", own.answeredSeconds, "at most 1");
  line("  of which the server's CPU", own.answeredCpuSeconds);
  line("  the same by the bare server", bare.answeredSeconds);
}

async function measureWaiting(mode: "bare" | "toolthread", dataDir: string) {
  const child = await startChild(mode, dataDir);
  const before = await ask<number>(child, "memory");
  const held = await holdRequests(child.port, child.paths.waiting as string, waitingRequests);
  const after = await ask<number>(child, "memory");
  const idleFrom = await ask<number>(child, "cpu");
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000));
  const idleUntil = await ask<number>(child, "cpu");
  const began = performance.now();
  child.process.send("close");
  await held.answered;
  const answeredSeconds = (performance.now() - began) / 1000;
  const closedAt = await ask<number>(child, "cpu");
  await endChild(child);
  return {
    bytesEach: (after - before) / waitingRequests,
    idlePercent: ((idleUntil - idleFrom) / (idleSeconds * 1e6)) * 100,
    answeredSeconds,
    answeredCpuSeconds: (closedAt - idleUntil) / 1e6,
  };
}

async function inTurns<Name extends string>(
  targets: Record<Name, Target>,
  measureOne: (target: Target) => Promise<number>,
): Promise<Record<Name, number>[]> {
  const names = Object.keys(targets) as Name[];
  for (const name of names) await measure(targets[name], 8);
  const results: Record<Name, number>[] = [];
  for (let round = 0; round < rounds; round++) {
    const result = {} as Record<Name, number>;
    for (const name of names) result[name] = await measureOne(targets[name]);
    results.push(result);
  }
  return results;
}

function measure({ port, path }: Target, connections: number) {
  return measureLoad({ port, path, connections, seconds: 0.7 });
}

function median<Name extends string>(results: Record<Name, number>[], of: Name, to: Name): number {
  const ratios = results.map((result) => result[of] / result[to]).sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 2)] ?? Number.NaN;
}

/** A task like the child's, on a server that runs by itself. */
async function getPathOf(url: string): Promise<string> {
  const rest = restClient(url);
  const start = { type: "deploy", params: { pace: 0, issues: 0 } };
  const { taskId } = (await rest.post("/tasks", start)).body;
  await rest.get(`/tasks/${taskId}/poll?waitFor=input_or_result`);
  return `/api/trpc/tasks.get?input=${encodeURIComponent(JSON.stringify({ taskId }))}`;
}

async function startChild(mode: "bare" | "toolthread", dataDir: string): Promise<Child> {
  const file = fileURLToPath(new URL("http-server.mjs", import.meta.url));
  const child = fork(file, [mode, dataDir], { execArgv: ["--expose-gc"] });
  const [started] = (await once(child, "message")) as [Omit<Child, "process">];
  return { process: child, ...started };
}

async function ask<Answer>({ process }: Child, message: string): Promise<Answer> {
  const answer = once(process, "message");
  process.send(message);
  return (await answer)[0] as Answer;
}

async function endChild({ process }: Child): Promise<void> {
  process.kill("SIGKILL");
  await once(process, "exit");
}

function line(what: string, value: number, goal?: string): void {
  const load = (loadavg()[0] as number).toFixed(1);
  const said = goal ? `goal: ${goal}; ` : "";
  console.log(`${what.padEnd(56)} ${value.toFixed(2).padStart(8)}   (${said}load ${load})`);
}
