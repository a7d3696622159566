import { expect } from "vitest";
import type { ConformanceTest } from "./conformance.ts";

/** Tasks that a program outside runs: decided in the core, and so alike on every store. */
export function drivenTests(test: ConformanceTest): void {
  const driven = (expiresAt: string) =>
    ({ driven: true, lease: { workerId: "driver:d1", expiresAt } }) as never;

  test("an update with a number that was posted before changes nothing", async ({ kit }) => {
    const taskId = await kit.start(driven(kit.later(60)));
    const post = (sequence: number) =>
      kit.commit<"post_update">(taskId, {
        kind: "post_update",
        epoch: 1,
        updateId: kit.newId("u"),
        level: "info",
        message: `m${sequence}`,
        sequence,
      });
    await Promise.all([1, 1, 2, 2, 1, 3].map(post));
    expect(await kit.messages(taskId)).toEqual(["m1", "m2", "m3"]);
    expect(await kit.task(taskId)).toMatchObject({ driverSequence: 3 });
    expect(await kit.task(await kit.start())).toMatchObject({ driverSequence: null });
  });

  test("its lease that runs out ends it, and a process that ends does not", async ({ kit }) => {
    const taskId = await kit.start(driven(kit.later(60)));
    const expire = () =>
      kit.commit<"expire">(taskId, {
        kind: "expire",
        deadWorkerId: "driver:d1",
        reason: "gone",
        fail: null,
      });
    expect(await expire()).toBe(false);
    kit.clock.jump(61);
    expect(await kit.claim(taskId)).toBeNull();
    expect(await expire()).toBe(true);
    expect(await kit.task(taskId)).toMatchObject({ status: "failed", wakeAt: null });
    expect((await kit.store.getPayload(taskId))?.error).toMatch(/^DriverLost/);
  });

  test("asking once more under the same id gives the question as it is", async ({ kit }) => {
    const taskId = await kit.start(driven(kit.later(60)));
    const question = await kit.ask(taskId, { questionId: "q_once" });
    await kit.resolve(question, "answered", "yes");
    const again = () => kit.commit<"ask">(taskId, { kind: "ask", epoch: 1, question, once: true });
    const [one, two] = await Promise.all([again(), again()]);
    expect([one.outcome, two.answer]).toEqual(["answered", "yes"]);
    expect(await kit.store.getQuestions(taskId)).toHaveLength(1);
    expect(await kit.task(taskId)).toMatchObject({ openQuestions: 0, status: "running" });
  });
}
