import { expect, test } from "vitest";
import { onBothStores, rest, startProcess } from "./mortal-process.ts";
import { agent, ann, eventKinds, openQuestion, rejection } from "./test-engine.ts";

const call = { actor: agent, driverId: "ci-1" };

onBothStores((makeWorld) => {
  async function driving() {
    const world = await makeWorld();
    const process = startProcess(world);
    const { taskId } = await process.manager.driving.start("ci", {}, call);
    return { world, process, driving: process.manager.driving, taskId };
  }

  test("a driver that falls silent ends its task as failed, and is told so when it comes back", async () => {
    const { world, process, driving: engine, taskId } = await driving();
    await engine.ask(taskId, { key: "go", prompt: "Go?", timeout: 10_000 }, { ...call, wait: 0 });
    await world.clock.advance(50);
    await engine.heartbeat(taskId, call);
    await world.clock.advance(59);
    expect((await process.manager.getTask(taskId)).task.status).toBe("waiting_for_input");
    await world.clock.advance(2);
    await rest(world);
    const { task, error, questions } = await process.manager.getTask(taskId);
    expect(task).toMatchObject({ status: "failed", attempt: 1, workerId: null, wakeAt: null });
    expect(error).toMatch(/^DriverLost: /);
    expect(questions.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
    const late = await rejection(engine.finish(taskId, { status: "completed" }, call));
    expect(late).toMatchObject({ code: "conflict" });
    expect(late.message).toContain("DriverLost");
    // It is never taken up again, not even by a process that has a handler now.
    process.manager.registerTask("ci", () => "from a handler");
    await world.clock.advance(120);
    expect((await process.manager.getTask(taskId)).task).toMatchObject({ status: "failed" });
  });

  test("a cancel that its driver does not hear ends it after the grace, as cancelled", async () => {
    const { world, process, driving: engine, taskId } = await driving();
    await engine.heartbeat(taskId, { ...call, leaseSeconds: 3600 });
    await process.manager.cancelTask(taskId, { actor: ann, reason: "enough" });
    await world.clock.advance(29);
    await engine.heartbeat(taskId, { ...call, leaseSeconds: 3600 });
    expect((await process.manager.getTask(taskId)).task.status).toBe("running");
    await world.clock.advance(2);
    await rest(world);
    const { task, error } = await process.manager.getTask(taskId);
    expect([task.status, error]).toEqual(["cancelled", "TaskCancelled: enough"]);
  });

  test("a server that comes back waits for the driver, which goes on where it was", async () => {
    const { world, process, driving: engine, taskId } = await driving();
    await engine.update(taskId, { message: "one", sequence: 1 }, call);
    const ask = { key: "go", prompt: "Go?", timeout: 10_000 };
    const { questionId } = await engine.ask(taskId, ask, { ...call, wait: 0 });
    process.die();
    await world.clock.advance(300);
    const after = startProcess(world);
    await after.manager.ready();
    await world.clock.advance(50);
    const again = await after.manager.driving.update(taskId, { message: "one", sequence: 1 }, call);
    expect(again).toMatchObject({ status: "waiting_for_input" });
    await after.manager.answerQuestion(questionId as string, "yes", { actor: ann });
    const told = await after.manager.driving.ask(taskId, ask, { ...call, wait: 10 });
    expect(told).toMatchObject({ questionId, outcome: "answered", answer: "yes", by: "Ann" });
    await after.manager.driving.finish(taskId, { status: "completed" }, call);
    expect(await eventKinds(after, taskId)).toEqual([
      "task_created",
      "attempt_started",
      "update",
      "question_opened",
      "question_resolved",
      "task_finished",
    ]);
  });

  test("an update with a key is posted once, however often and when its call is repeated", async () => {
    const { world, process, driving: engine, taskId } = await driving();
    const post = (message: string, key?: string) => engine.update(taskId, { message, key }, call);
    await Promise.all([post("one", "k1"), post("one", "k1"), post("one", "k1")]);
    await engine.progress(taskId, { done: 1, message: "half", key: "k2" }, call);
    await engine.progress(taskId, { done: 2, message: "all", key: "k3" }, call);
    // The calls whose answers were lost come again, late, and after a restart.
    await engine.progress(taskId, { done: 1, message: "half", key: "k2" }, call);
    process.die();
    await world.clock.advance(1);
    const after = startProcess(world);
    await after.manager.ready();
    await after.manager.driving.update(taskId, { message: "one", key: "k1" }, call);
    await after.manager.driving.update(taskId, { message: "one" }, call);
    const other = await after.manager.driving.start("ci", {}, call);
    await after.manager.driving.update(other.taskId, { message: "one", key: "k1" }, call);
    const messages = async (id: string) =>
      (await after.manager.pollTask(id, { timeout: 0 })).updates.map(({ message }) => message);
    expect(await messages(taskId)).toEqual(["one", "half", "all", "one"]);
    expect(await messages(other.taskId)).toEqual(["one"]);
  });

  test("a driver that does not come back after a restart is lost as well", async () => {
    const { world, process, taskId } = await driving();
    process.die();
    await world.clock.advance(10);
    const after = startProcess(world);
    await after.manager.ready();
    await world.clock.advance(55);
    expect((await after.manager.getTask(taskId)).task.status).toBe("running");
    await world.clock.advance(10);
    await rest(world);
    expect((await after.manager.getTask(taskId)).task.status).toBe("failed");
  });

  test("finish against a lease that runs out: it ends once", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { world, process, driving: engine, taskId } = await driving();
      const finish = () =>
        engine.finish(taskId, { status: "completed", result: 1 }, call).catch(() => "too late");
      const runOut = () => world.clock.advance(61);
      await Promise.all(round % 2 === 0 ? [finish(), runOut()] : [runOut(), finish()]);
      await rest(world);
      const { task, result } = await process.manager.getTask(taskId);
      expect(["completed", "failed"]).toContain(task.status);
      expect(result).toBe(task.status === "completed" ? 1 : null);
      const kinds = await eventKinds(process, taskId);
      expect(kinds.filter((kind) => kind === "task_finished")).toHaveLength(1);
    }
  });

  test("a question that runs out tells its default; a secret one is told to its driver only", async () => {
    const { world, process, driving: engine, taskId } = await driving();
    const ask = { key: "a", prompt: "Go?", timeout: 20, choices: ["yes", "no"], default: "no" };
    const waiting = engine.ask(taskId, ask, { ...call, wait: 60 });
    await world.clock.settle();
    await world.clock.advance(21);
    expect(await waiting).toMatchObject({
      outcome: "timed_out",
      answer: null,
      defaultUsed: true,
      defaultValue: "no",
    });
    if (!process.store.isDurable) {
      const pin = { key: "pin", prompt: "PIN?", secret: true };
      await engine.ask(taskId, pin, { ...call, wait: 0 });
      const { questionId } = await openQuestion(process, taskId);
      await process.manager.answerQuestion(questionId, "4711", { actor: ann });
      const told = await engine.ask(taskId, pin, { ...call, wait: 0 });
      expect(told).toMatchObject({ outcome: "answered", answer: "4711" });
      expect(JSON.stringify(await process.manager.getTask(taskId))).not.toContain("4711");
    }
  });

  test("two drivers with one idempotency key at once: one has the task", async () => {
    const world = await makeWorld();
    const { driving: engine } = startProcess(world).manager;
    const start = (driverId: string) =>
      engine.start("ci", {}, { actor: agent, driverId, idempotencyKey: "once" });
    const settled = await Promise.allSettled([start("a"), start("b"), start("a")]);
    const ids = settled.map((one) => (one.status === "fulfilled" ? one.value.driverId : "refused"));
    expect([...ids].sort()).toEqual(["a", "a", "refused"]);
  });
});
