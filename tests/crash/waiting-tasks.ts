import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemActor } from "../../server/core/actor.ts";
import type { Command } from "../../server/core/command.ts";
import { plainStart } from "../../server/core/plain-start.ts";
import { randomId, systemClock } from "../../server/core/system-clock.ts";
import { newQuestionData } from "../../server/core/task-question.ts";
import { addSeconds, toTimestamp } from "../../server/core/timestamp.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { restClient } from "../support/rest-client.ts";
import { readLedger } from "./ledger.ts";
import { freePort, ServerProcess } from "./server-process.ts";

const daySeconds = 24 * 60 * 60;
// As long as a lease: a process that is killed leaves none that runs for longer.
const leaseSeconds = 15;
const answered = 200;

export interface WaitingFigures {
  tasks: number;
  /** Seconds from the start of the process until it serves. */
  readySeconds: number;
  /** The same with an empty database: the process itself. */
  emptyReadySeconds: number;
  /** Memory of the process beyond that of one with an empty database, in MB. */
  extraMegabytes: number;
  databaseMegabytes: number;
  /** Seconds to answer 200 of them, each of which then runs to its end. */
  answerSeconds: number;
  /** Handlers that ran: those 200, when nothing that only waits is run again. */
  handlersRun: number;
}

/**
 * Restarts a server that has so many tasks waiting for humans.
 *
 * @param isParked whether the process before had let go of them, or died with all of them in memory.
 */
export async function measureWaiting(count: number, isParked: boolean): Promise<WaitingFigures> {
  const empty = await inFolder(async (folder) => {
    await (await SQLiteStore.open(join(folder, "toolthread.db"))).close();
    return serve(folder, async () => 0);
  });
  return inFolder(async (folder) => {
    const file = join(folder, "toolthread.db");
    const questions = await writeWaitingTasks(file, count, isParked);
    const served = await serve(folder, (url) => answerSome(url, questions.slice(0, answered)));
    return {
      tasks: count,
      readySeconds: served.readySeconds,
      emptyReadySeconds: empty.readySeconds,
      extraMegabytes: Math.round(served.megabytes - empty.megabytes),
      databaseMegabytes: Math.round(statSync(file).size / 1e6),
      answerSeconds: served.result,
      handlersRun: readLedger(join(folder, "ledger")).filter(({ kind }) => kind === "began").length,
    };
  });
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "toolthread-waiting-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a process leaves behind that had started them all. */
async function writeWaitingTasks(file: string, count: number, isParked: boolean) {
  const store = await SQLiteStore.open(file);
  const questions: { taskId: string; questionId: string }[] = [];
  for (let done = 0; done < count; done += 1000) {
    const batch = Array.from({ length: Math.min(1000, count - done) }, (_, i) =>
      writeWaitingTask(store, done + i + 1, isParked),
    );
    questions.push(...(await Promise.all(batch)));
  }
  await store.close();
  return questions;
}

async function writeWaitingTask(store: SQLiteStore, start: number, isParked: boolean) {
  const at = systemClock.now();
  const now = toTimestamp(at);
  const taskId = randomId("task");
  const params = { start, size: 1, millis: 0, timeout: daySeconds, tenant: "red" };
  const lease = { workerId: "w_before", expiresAt: addSeconds(now, leaseSeconds) };
  const command: Command<"start"> = {
    ...plainStart,
    taskId,
    at,
    type: "waits",
    params,
    actor: systemActor,
    lease,
  };
  // They are written in the order they are sent in, so none needs to wait for the one before.
  const started = store.commit<"start">(command);
  const prompt = `start ${start} waits`;
  const question = newQuestionData({ taskId, prompt, askedAt: now, timeout: daySeconds });
  const asked = store.commit<"ask">({ kind: "ask", taskId, at, epoch: 1, question });
  const parked = isParked
    ? store.commit<"park">({ kind: "park", taskId, at, epoch: 1, openQuestions: 1, wakeAt: null })
    : null;
  await Promise.all([started, asked, parked]);
  return { taskId, questionId: question.questionId };
}

async function serve<T>(folder: string, use: (url: string) => Promise<T>) {
  const port = await freePort();
  const from = performance.now();
  const server = new ServerProcess({ folder, port, ledgerFile: join(folder, "ledger") });
  try {
    if (!(await server.ready)) throw new Error(`the server did not start: ${server.stderr}`);
    const readySeconds = (performance.now() - from) / 1000;
    const megabytes = residentMegabytes(server.pid);
    const result = await use(`http://127.0.0.1:${port}`);
    return { readySeconds, megabytes, result };
  } finally {
    await server.kill();
  }
}

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1000;
}

/** Answers them all at once and waits until each has run to its end. @returns seconds */
async function answerSome(url: string, questions: { taskId: string; questionId: string }[]) {
  const rest = restClient(url);
  const from = performance.now();
  await Promise.all(
    questions.map(async ({ taskId, questionId }) => {
      const { status } = await rest.post(`/questions/${questionId}/answer`, { answer: "yes" });
      if (status !== 200) throw new Error(`an answer was refused with ${status}`);
      for (let since = ""; ; ) {
        const { body } = await rest.get(`/tasks/${taskId}/poll?timeout=30${since}`);
        if (body.result?.result === "yes") return;
        since = `&since=${body.cursor}`;
      }
    }),
  );
  return (performance.now() - from) / 1000;
}
