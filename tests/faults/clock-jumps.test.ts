import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { MemoryStore, type TaskContext } from "../../server/index.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { drive, eventKinds, testEngine, watch } from "../engine/test-engine.ts";
import { findTimelineFault } from "../stores/store-kit.ts";
import { testClock } from "../support/test-clock.ts";

const hour = 3600;

test("a poll ends at its time, also when the clock was set back meanwhile", async () => {
  const engine = testEngine();
  const { taskId } = await drive(engine);
  const { cursor } = await engine.manager.pollTask(taskId, { timeout: 0 });
  const poll = watch(engine.manager.pollTask(taskId, { since: cursor, timeout: 30 }));
  await engine.clock.advance(10);
  engine.clock.jump(-hour);
  await engine.clock.advance(19);
  expect(poll.state).toBe("pending");
  await engine.clock.advance(2);
  expect(poll.state).toBe("fulfilled");
});

test("a deadline that a jump forward passed is noticed within a minute", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolthread-clock-"));
  const clock = testClock();
  const store = await SQLiteStore.open(join(folder, "tasks.db"), { clock });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  const { manager } = testEngine({ store, clock });
  manager.registerTask({ type: "parks", park: true, parkAfter: 1 }, (ctx) =>
    ctx.ask({ prompt: "Well?", timeout: 2 * hour }),
  );
  const taskId = await manager.startTask("parks");
  await clock.advance(10);
  expect((await manager.getTask(taskId)).task.activity).toBe("parked");
  // A machine that slept: its timers stood still.
  clock.jump(3 * hour);
  await clock.advance(61);
  expect((await manager.getTask(taskId)).result).toMatchObject({ outcome: "timed_out" });
});

test("a clock that is set back takes no lease, no answer and no deadline away", async () => {
  const engine = testEngine();
  const { taskId, ctx, finish } = await drive(engine);
  const outcome = watch(ctx.ask({ prompt: "Well?", timeout: 100 }));
  await engine.clock.settle();
  engine.clock.jump(-hour);
  await engine.clock.advance(200);
  const [question] = await engine.store.getOpenQuestions(taskId);
  await engine.manager.respondToQuestion(taskId, question?.questionId ?? "", "yes");
  await engine.clock.settle();
  expect(outcome.value).toMatchObject({ outcome: "answered", answer: "yes" });
  finish();
  await engine.clock.settle();
  expect(await eventKinds(engine, taskId)).not.toContain("attempt_interrupted");
});

/** Everything time has a part in, in one handler. */
async function handler(ctx: TaskContext): Promise<unknown> {
  const values: unknown[] = [];
  for (let i = 1; i <= 3; i++) {
    values.push(await ctx.step("step", () => i));
    void ctx.update(`update ${i}`);
    await ctx.sleep(20);
    values.push((await ctx.ask({ prompt: "Well?", timeout: 60, default: "nobody" })).outcome);
  }
  return values;
}

const jumps = fc.array(
  fc.record({
    jump: fc.constantFrom(-3 * hour, -1800, -5, 5, hour, 24 * hour),
    pass: fc.constantFrom(0.1, 7, 40),
    answers: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

test.each(["MemoryStore", "SQLiteStore"])(
  "on %s: whatever the clock does, what was acknowledged stays and the task ends",
  async (name) => {
    const folder = await mkdtemp(join(tmpdir(), "toolthread-clock-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(jumps, async (history) => {
        const clock = testClock();
        runs += 1;
        const store =
          name === "MemoryStore"
            ? new MemoryStore(clock)
            : await SQLiteStore.open(join(folder, `${runs}.db`), { clock });
        const engine = testEngine({ store, clock });
        engine.manager.registerTask({ type: "timed", park: true, parkAfter: 10 }, handler);
        const taskId = await engine.manager.startTask("timed");
        const answered: string[] = [];
        for (const { jump, pass, answers } of history) {
          await clock.advance(pass);
          clock.jump(jump);
          const [question] = answers ? await store.getOpenQuestions(taskId) : [];
          if (!question) continue;
          const won = await engine.manager.respondToQuestion(taskId, question.questionId, "yes");
          if (won) answered.push(question.questionId);
        }
        // A clock that stays ahead or behind from here on is only another time of day.
        let ended = await engine.manager.getTask(taskId);
        for (let left = 200; left > 0 && ended.task.status !== "completed"; left -= 1) {
          await clock.advance(hour);
          ended = await engine.manager.getTask(taskId);
        }
        const { task, result } = ended;
        const events = await store.readEvents(taskId, {});
        expect(findTimelineFault(events)).toBeNull();
        expect(task.status).toBe("completed");
        expect(result).toHaveLength(6);
        for (const questionId of answered) {
          expect(await store.getQuestion(questionId)).toMatchObject({ outcome: "answered" });
        }
        const count = (kind: string) => events.filter((event) => event.kind === kind).length;
        expect([count("update"), count("step_completed"), count("task_finished")]).toEqual([
          3, 3, 1,
        ]);
        expect(count("question_resolved")).toBe(3);
        await engine.manager.shutdown(0);
        await store.close();
      }),
      // A slow machine sees fewer jumps, and does not wait for all of them.
      { numRuns: name === "MemoryStore" ? 60 : 12, interruptAfterTimeLimit: 15_000 },
    );
  },
);
