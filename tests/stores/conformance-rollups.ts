import { expect } from "vitest";
import { addCounts, addTimes, type Rollups } from "../../server/core/overview.ts";
import { answerClass, type RollupWidth, rollupWidths, slotOf } from "../../server/core/rollup.ts";
import type { ConformanceTest } from "./conformance.ts";
import { operator, type StoreKit } from "./store-kit.ts";

/** What is counted as it happens, and what is under way. */
export function rollupTests(test: ConformanceTest): void {
  test("everything is counted once, in its slot and under its type, in every width", async ({
    kit,
  }) => {
    const from = kit.now();
    const deploy = await kit.running({ type: "deploy" });
    const other = await kit.running({ type: "export" });
    await kit.start({ type: "export" });
    const answered = await kit.ask(deploy.taskId);
    const declined = await kit.ask(deploy.taskId);
    const late = await kit.ask(other.taskId, { deadline: kit.later(100) });
    await kit.clock.advance(7);
    await kit.resolve(answered, "answered", "yes");
    // Whoever comes second changes nothing, and what is refused is not counted.
    await kit.resolve(answered, "declined").catch(() => undefined);
    await kit.clock.advance(120);
    await kit.resolve(declined, "declined");
    await kit.resolve(late, "timed_out");
    await kit.ask(other.taskId);
    await kit.finish(deploy.taskId, deploy.epoch);
    await kit.cancel(other.taskId, true);

    for (const width of rollupWidths) {
      const rollups = await read(kit, width, from);
      expect(rollups.byType.get("deploy")).toEqual({
        ...none,
        started: 1,
        completed: 1,
        asked: 2,
        answered: 1,
        declined: 1,
        workedSeconds: expect.any(Number),
      });
      expect(rollups.byType.get("export")).toMatchObject({
        started: 2,
        cancelled: 1,
        asked: 2,
        timedOut: 1,
        withdrawn: 1,
      });
      expect([...(rollups.answersByType.get("deploy") ?? [])].sort(byNumber)).toEqual([
        [answerClass(7), 1],
        [answerClass(127), 1],
      ]);
      expect(rollups.answersByType.get("export")?.size ?? 0).toBe(0);
      // Both ways of adding up come to the same.
      expect(addCounts(rollups.bySlot.values())).toEqual(addCounts(rollups.byType.values()));
      const [bySlot, byType] = [rollups.answersBySlot, rollups.answersByType];
      expect(addTimes(bySlot.values())).toEqual(addTimes(byType.values()));
      const hidden = await read(kit, width, from, ["deploy"]);
      expect([...hidden.byType.keys()]).toEqual(["export"]);
    }
    const minutes = await read(kit, 60, from);
    expect(minutes.bySlot.get(slotOf(from, 60))).toMatchObject({ started: 3, asked: 3 });
    expect(minutes.bySlot.get(slotOf(kit.now(), 60))).toMatchObject({ completed: 1, timedOut: 1 });
  });

  test("counts outlive the tasks they are of, and fine slots go after their time", async ({
    kit,
  }) => {
    const from = kit.now();
    const { taskId, epoch } = await kit.running();
    await kit.finish(taskId, epoch);
    await kit.clock.advance(1);
    expect(await kit.store.deleteFinished(kit.now(), 9)).toBe(1);
    expect((await read(kit, 60, from)).byType.get("demo")).toMatchObject({ completed: 1 });
    // To the first minute of an hour three days later.
    await kit.clock.advance(3 * 86_400);
    await kit.clock.advance(3600 - ((Date.parse(kit.now()) / 1000) % 3600));
    await kit.start();
    const counted = async (width: RollupWidth) =>
      (await read(kit, width, from)).byType.get("demo")?.started;
    expect([await counted(60), await counted(900), await counted(21_600)]).toEqual([1, 2, 2]);
  });

  test("what is under way by type and status, and who waits longest", async ({ kit }) => {
    await kit.start({ type: "export" });
    const done = await kit.running({ type: "export" });
    await kit.finish(done.taskId, done.epoch);
    const first = await kit.running({ type: "deploy" });
    const one = await kit.ask(first.taskId, { prompt: "a".repeat(400) });
    await kit.clock.advance(1);
    const second = await kit.running({ type: "ask" });
    const two = await kit.ask(second.taskId);
    const three = await kit.ask(second.taskId);
    await kit.resolve(two, "answered", "x", operator);
    expect(await kit.store.countLive()).toEqual([
      { type: "ask", status: "waiting_for_input", count: 1 },
      { type: "deploy", status: "waiting_for_input", count: 1 },
      { type: "export", status: "pending", count: 1 },
    ]);
    expect(await kit.store.countLive(["deploy", "ask"])).toHaveLength(1);
    const waiting = await kit.store.listLongestWaiting(5);
    expect(waiting).toEqual([
      {
        questionId: one.questionId,
        taskId: first.taskId,
        taskType: "deploy",
        prompt: "a".repeat(300),
        askedAt: one.askedAt,
        deadline: one.deadline,
      },
      expect.objectContaining({ questionId: three.questionId, taskType: "ask" }),
    ]);
    expect(await kit.store.listLongestWaiting(1)).toHaveLength(1);
    expect(await kit.store.listLongestWaiting(5, ["deploy"])).toHaveLength(1);
  });
}

const none = addCounts([]);

function read(
  kit: StoreKit,
  width: RollupWidth,
  from: string,
  exceptTypes: string[] = [],
): Promise<Rollups> {
  const [first, last] = [slotOf(from, width), slotOf(kit.now(), width)];
  return kit.store.readRollups({ width, first, last, exceptTypes });
}

function byNumber([a]: [number, number], [b]: [number, number]): number {
  return a - b;
}
