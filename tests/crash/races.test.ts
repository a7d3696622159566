import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Command } from "../../server/core/command.ts";
import type { DurableTaskStore } from "../../server/core/durable-task-store.ts";
import { isToolthreadError } from "../../server/core/errors.ts";
import type { TaskEvent } from "../../server/core/task-event.ts";
import { newQuestionData } from "../../server/core/task-question.ts";
import { isTerminal } from "../../server/core/task-status.ts";
import { MemoryStore } from "../../server/stores/memory-store.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { findTimelineFault } from "../stores/store-kit.ts";
import { TaskOnPaper } from "../support/task-on-paper.ts";
import { type Move, questionMoves, workerMoves } from "./race-moves.ts";

/** Moves that are begun one after the other without waiting; the number is of turns in between. */
const race = (moves: fc.Arbitrary<Move>) =>
  fc.array(fc.tuple(moves, fc.constantFrom(0, 0, 0, 1, 3)), { minLength: 2, maxLength: 24 });

// A slow machine sees fewer races, and does not wait for all of them.
const mostMillis = 15_000;

/** Whether the process dies in the middle. */
const crashes = fc.nat({ max: 3 }).map((n) => n === 0);

const start = { params: { n: 1 }, requestDigest: null };
let lastTask = 0;

/** The same task in a store and on paper, where each command takes effect before the next. */
class RacedTask {
  readonly taskId: string;
  readonly paper: TaskOnPaper;
  readonly #store: DurableTaskStore;
  readonly #expected: unknown[] = [];
  readonly #told: Promise<unknown>[] = [];
  /** Commands the store has acknowledged so far, as the highest `seq` each left behind. */
  acknowledgedSeq = 1;

  private constructor(store: DurableTaskStore, taskId: string) {
    this.#store = store;
    this.taskId = taskId;
    this.paper = new TaskOnPaper({ ...start, taskId });
  }

  static async begin(store: DurableTaskStore): Promise<RacedTask> {
    lastTask += 1;
    const task = new RacedTask(store, `task_${String(lastTask).padStart(8, "0")}`);
    const { type, createdBy: actor, priority, labels } = task.paper.record;
    const nothing = { concurrencyKey: null, parentTaskId: null, rerunOf: null, lease: null };
    const { taskId } = task;
    const at = task.paper.at;
    const idempotencyKey = null;
    await store.commit<"start">({
      ...{ kind: "start", taskId, at, type, actor, priority, labels, runAt: null, idempotencyKey },
      ...{ ...nothing, ...start },
    });
    return task;
  }

  /** Hands the move to both; only the store takes time over it. */
  do(move: Move): void {
    const input = move(this.paper);
    if (input === null) return;
    const { taskId } = this;
    const at = this.paper.at;
    let expected: unknown;
    try {
      expected = comparable(this.paper.do(input as never));
    } catch (error) {
      expected = refusal(error);
    }
    const { lastSeq } = this.paper.record;
    this.#expected.push(expected);
    this.#told.push(
      this.#store.commit({ ...input, taskId, at } as unknown as Command).then((result) => {
        this.acknowledgedSeq = lastSeq;
        return comparable(result);
      }, refusal),
    );
  }

  async settle(): Promise<void> {
    expect(await Promise.all(this.#told)).toEqual(this.#expected);
  }

  /** Everything there is in the store, which is to be what is on paper. */
  async check(): Promise<TaskEvent[]> {
    const { record, events, questions, ended } = this.paper;
    const { taskId } = this;
    const stored = await this.#store.readEvents(taskId, {});
    expect(stored.map(({ position: _, ...event }) => event)).toEqual(events);
    expect(findTimelineFault(stored)).toBeNull();
    expect(comparable(await this.#store.getTask(taskId))).toEqual(comparable(record));
    for (const { questionId, outcome, answer } of questions.values()) {
      expect(await this.#store.getQuestion(questionId)).toMatchObject({ outcome, answer });
      const resolved = stored.filter(
        (event) => event.kind === "question_resolved" && event.questionId === questionId,
      );
      expect(resolved).toHaveLength(outcome === null ? 0 : 1);
    }
    const ends = stored.filter(({ kind }) => kind === "task_finished");
    expect(ends).toHaveLength(isTerminal(record.status) ? 1 : 0);
    const payload = await this.#store.getPayload(taskId);
    expect(payload).toMatchObject({ result: ended?.result ?? null, error: ended?.error ?? null });
    return stored;
  }
}

// What a retry forgets is no part of the task on paper.
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  return JSON.parse(text, (key, member) => (key === "forgotten" ? undefined : member));
}

function refusal(error: unknown): string {
  if (!isToolthreadError(error)) throw error;
  return `refused: ${error.code}`;
}

interface Place {
  store: DurableTaskStore;
  /** How many pairs of races are run in it. */
  runs: number;
  /** The database as a crash at this moment would leave it; null where a crash leaves nothing. */
  crash: (() => string) | null;
  close(): Promise<void>;
}

const places: Record<string, () => Promise<Place>> = {
  async MemoryStore() {
    const store = new MemoryStore();
    return { store, runs: 1500, crash: null, close: () => store.close() };
  },
  async "SQLiteStore in a file"() {
    const folder = mkdtempSync(join(tmpdir(), "toolthread-races-"));
    const file = join(folder, "tasks.db");
    const store = await SQLiteStore.open(file);
    let copies = 0;
    return {
      store,
      runs: 300,
      // Nothing else happens in this process during the copy, so it is one moment.
      crash() {
        copies += 1;
        const copy = join(folder, String(copies));
        mkdirSync(copy);
        for (const end of ["", "-wal"]) {
          if (existsSync(file + end)) copyFileSync(file + end, join(copy, `tasks.db${end}`));
        }
        return join(copy, "tasks.db");
      },
      async close() {
        await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
  async "SQLiteStore in memory"() {
    const store = await SQLiteStore.open(":memory:");
    return { store, runs: 500, crash: null, close: () => store.close() };
  },
};

describe.each(Object.keys(places))("%s", (name) => {
  let place: Place;

  beforeAll(async () => {
    place = await (places[name] as () => Promise<Place>)();
  });
  afterAll(() => place.close());

  test("claim, renew, expire and complete: as if one came after the other", async () => {
    await fc.assert(
      fc.asyncProperty(race(workerMoves), race(workerMoves), crashes, async (one, other, ends) => {
        await runRaces(place, [one, other], ends, async () => {});
      }),
      { numRuns: place.runs, interruptAfterTimeLimit: mostMillis },
    );
  });

  test("answer, decline, timeout, cancel and crash: one outcome, whoever was first", async () => {
    await fc.assert(
      fc.asyncProperty(
        race(questionMoves),
        race(questionMoves),
        crashes,
        async (one, other, ends) => {
          await runRaces(place, [one, other], ends, async (task) => {
            task.do(claimOf("w_1"));
            task.do(question());
            task.do(question());
            await task.settle();
          });
        },
      ),
      { numRuns: place.runs, interruptAfterTimeLimit: mostMillis },
    );
  });

  test("two questions answered at the same instant: both count, and the task goes on once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 3 }), fc.nat({ max: 3 }), async (before, between) => {
        const task = await RacedTask.begin(place.store);
        task.do(claimOf("w_1"));
        const [first, second] = [question(), question()];
        task.do(first);
        task.do(second);
        for (let i = 0; i < before; i += 1) await turn();
        const ids = [...task.paper.questions.keys()];
        for (const [i, questionId] of ids.entries()) {
          if (i > 0) for (let n = 0; n < between; n += 1) await turn();
          task.do(answerTo(questionId));
        }
        await task.settle();
        await task.check();
        expect(task.paper.record).toMatchObject({ status: "running", openQuestions: 0 });
      }),
      { numRuns: 100, interruptAfterTimeLimit: mostMillis },
    );
  });
});

/** Races on several tasks at once, which share transactions, with a crash somewhere among them. */
async function runRaces(
  { store, crash }: Place,
  races: [Move, number][][],
  crashes: boolean,
  prepare: (task: RacedTask) => Promise<void>,
): Promise<void> {
  const tasks = await Promise.all(races.map(() => RacedTask.begin(store)));
  await Promise.all(tasks.map(prepare));
  const length = Math.max(...races.map((moves) => moves.length));
  let crashed: { file: string; acknowledged: number[] } | null = null;
  for (let i = 0; i < length; i += 1) {
    for (const [n, moves] of races.entries()) {
      const [move, turns] = moves[i] ?? [null, 0];
      if (move) (tasks[n] as RacedTask).do(move);
      for (let left = turns; left > 0; left -= 1) await turn();
    }
    if (crash && crashes && i === length >> 1) {
      crashed = { file: crash(), acknowledged: tasks.map((task) => task.acknowledgedSeq) };
    }
  }
  for (const [n, task] of tasks.entries()) {
    await task.settle();
    const events = await task.check();
    if (!crashed) continue;
    const kept = readTimeline(crashed.file, task.taskId);
    // What a crash leaves is a beginning of what came to be, with all that was acknowledged.
    const began = events.slice(0, kept.length);
    expect(kept).toEqual(began.map(({ seq, kind, at }) => ({ seq, kind, at })));
    expect(kept.length).toBeGreaterThanOrEqual(crashed.acknowledged[n] ?? 0);
  }
  if (crashed) rmSync(join(crashed.file, ".."), { recursive: true });
}

/** Read with SQL alone, as another program would find it. */
function readTimeline(file: string, taskId: string): unknown[] {
  const database = new Database(file);
  try {
    expect(database.pragma("quick_check", { simple: true })).toBe("ok");
    const query = "SELECT seq, kind, at FROM events WHERE task_id = ? ORDER BY seq";
    return database.prepare(query).all(taskId);
  } finally {
    database.close();
  }
}

const claimOf =
  (workerId: string): Move =>
  () => ({ kind: "claim", lease: { workerId, expiresAt: "2026-11-30T13:00:00.000000Z" } });

function question(): Move {
  return (task) => ({
    kind: "ask",
    epoch: task.record.epoch,
    question: newQuestionData({
      taskId: task.record.taskId,
      prompt: "?",
      askedAt: task.record.lastEventAt,
      timeout: 20,
    }),
  });
}

const answerTo =
  (questionId: string): Move =>
  () => ({
    kind: "resolve",
    questionId,
    outcome: "answered",
    answer: "yes",
    declineReason: null,
    actor: null,
  });
