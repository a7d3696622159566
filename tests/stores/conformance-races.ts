import { expect } from "vitest";
import type { ConformanceTest } from "./conformance.ts";
import { findTimelineFault, operator } from "./store-kit.ts";

/** Writes at the same time: one wins, nothing is lost, nothing is there twice. */
export function raceTests(test: ConformanceTest): void {
  test("of two claims one wins", async ({ kit }) => {
    for (let round = 0; round < 20; round += 1) {
      const taskId = await kit.start();
      const claims = await Promise.all(["w_1", "w_2", "w_3"].map((w) => kit.claim(taskId, w)));
      const won = claims.filter((claim) => claim !== null);
      expect(won).toHaveLength(1);
      expect(await kit.task(taskId)).toMatchObject({ attempt: 1, workerId: won[0]?.workerId });
    }
  });

  test("answer, decline, timeout and cancel: one outcome, and everybody sees it", async ({
    kit,
  }) => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 24; round += 1) {
      const { taskId } = await kit.running();
      const question = await kit.ask(taskId, { deadline: kit.later(round % 8 < 4 ? 0 : 60) });
      const racers = [
        () => kit.resolve(question, "answered", "yes"),
        () => kit.resolve(question, "declined", null, { ...operator, id: "bob" }),
        () => kit.resolve(question, "timed_out"),
        () => kit.cancel(taskId),
      ];
      // Each takes the lead in turn.
      const lead = round % racers.length;
      const order = [...racers.slice(lead), ...racers.slice(0, lead)];
      const results = await Promise.all(order.map((race) => race()));
      const resolved = results.flatMap((r) => (typeof r === "boolean" ? [] : r));
      const stored = await kit.store.getQuestion(question.questionId);
      const won = resolved.filter((result) => result.won);
      // A late answer closes the question as timed out, and then a timeout has nothing to win.
      if (stored?.outcome !== "cancelled" && stored?.outcome !== "timed_out") {
        expect(won).toHaveLength(1);
      }
      for (const { question: seen } of resolved) {
        if (seen.outcome !== null) expect(seen.outcome).toBe(stored?.outcome);
      }
      expect((await kit.kinds(taskId)).filter((kind) => kind === "question_resolved")).toHaveLength(
        1,
      );
      expect((await kit.task(taskId)).openQuestions).toBe(0);
      outcomes.add(stored?.outcome ?? "none");
    }
    expect(outcomes).toEqual(new Set(["answered", "declined", "timed_out", "cancelled"]));
  });

  test("of people who claim a question at the same time one has it", async ({ kit }) => {
    const { taskId } = await kit.running();
    const { questionId } = await kit.ask(taskId);
    const claims = await Promise.all(
      ["ann", "bob", "cleo"].map((id) => {
        const actor = { ...operator, id };
        const claim = { kind: "claim_question", questionId, actor, takeOver: false } as const;
        return kit.commit<"claim_question">(taskId, claim);
      }),
    );
    const [winner, ...others] = claims.filter(({ claimed }) => claimed);
    expect(others).toEqual([]);
    const holder = (await kit.store.getQuestion(questionId))?.claimedBy?.id;
    expect(holder).toBe(winner?.question.claimedBy?.id);
    for (const { question } of claims) expect(question.claimedBy?.id).toBe(holder);
  });

  test("a completion and a forced cancel: the task ends once", async ({ kit }) => {
    const ends = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const { taskId, epoch } = await kit.running();
      const racers = [() => kit.finish(taskId, epoch), () => kit.cancel(taskId, true)];
      if (round % 2 === 1) racers.reverse();
      await Promise.allSettled(racers.map((race) => race()));
      const { status } = await kit.task(taskId);
      const kinds = await kit.kinds(taskId);
      expect(kinds.filter((kind) => kind === "task_finished")).toHaveLength(1);
      const payload = await kit.store.getPayload(taskId);
      expect(payload?.result).toBe(status === "completed" ? "done" : null);
      ends.add(status);
    }
    expect(ends).toEqual(new Set(["completed", "cancelled"]));
  });

  test("idempotent starts at the same time make one task", async ({ kit }) => {
    const keyed = { idempotencyKey: "same", requestDigest: "d" };
    const starts = await Promise.all(Array.from({ length: 30 }, () => kit.startDetailed(keyed)));
    expect(starts.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(starts.map(({ task }) => task.taskId)).size).toBe(1);
    expect((await kit.store.listTasks({ limit: 500 })).items).toHaveLength(1);
  });

  test("a refused write beside others takes none of them along", async ({ kit }) => {
    const { taskId, epoch } = await kit.running();
    const settled = await Promise.allSettled([
      kit.post(taskId, "one", epoch),
      kit.post(taskId, "refused", epoch + 1),
      kit.post("none", "refused"),
      kit.post(taskId, "two", epoch),
      kit.startDetailed({ taskId }),
      kit.record(taskId, "step"),
      kit.resolve({ taskId, questionId: "none" } as never, "answered", "x"),
      kit.post(taskId, "three", epoch),
    ]);
    expect(settled.map(({ status }) => status === "fulfilled")).toEqual(
      [1, 0, 0, 1, 0, 1, 0, 1].map(Boolean),
    );
    expect(await kit.messages(taskId)).toEqual(["one", "two", "three"]);
    expect(await kit.store.getJournal(taskId)).toHaveLength(1);
    expect(findTimelineFault(await kit.store.readEvents(taskId, {}))).toBeNull();
  });

  test("commands that build on each other may be sent without waiting", async ({ kit }) => {
    const taskId = "task_eager";
    const question = { taskId, questionId: "q_eager" } as never;
    const [, claimed, , , answered, , retried, finished] = await Promise.all([
      kit.start({ taskId }),
      kit.claim(taskId),
      kit.record(taskId, "flaky", "failed"),
      kit.ask(taskId, { questionId: "q_eager" }),
      kit.resolve(question, "declined"),
      kit.post(taskId, "between", 1),
      kit.retry(taskId, 1, 0),
      kit.claim(taskId),
      kit.record(taskId, "flaky", "failed"),
      kit.finish(taskId, 2),
    ]);
    expect(claimed).toMatchObject({ epoch: 1 });
    expect(answered).toMatchObject({ won: true });
    expect(retried).toMatchObject({ status: "pending" });
    expect(finished).toMatchObject({ epoch: 2 });
    expect(await kit.task(taskId)).toMatchObject({ status: "completed", attempt: 2 });
    expect(await kit.store.getQuestion("q_eager")).toMatchObject({ forgotten: true });
    expect(await kit.store.getJournal(taskId)).toMatchObject([{ name: "flaky", afterSeq: 9 }]);
  });

  test("posts keep the order of their calls, waited for or not", async ({ kit }) => {
    const tasks = await Promise.all(Array.from({ length: 8 }, () => kit.running()));
    const wanted = Array.from({ length: 150 }, (_, i) => `m${i}`);
    const pending: Promise<unknown>[] = [];
    for (const message of wanted) {
      for (const { taskId, epoch } of tasks) pending.push(kit.post(taskId, message, epoch));
      if (message.endsWith("0")) await pending.at(-1);
    }
    await Promise.all(pending);
    for (const { taskId } of tasks) {
      expect(await kit.messages(taskId)).toEqual(wanted);
      expect(findTimelineFault(await kit.store.readEvents(taskId, {}))).toBeNull();
    }
  });

  test("timestamps rise when the clock stands still or goes back", async ({ kit }) => {
    const taskId = await kit.start();
    await kit.post(taskId, "a");
    await kit.post(taskId, "same moment");
    kit.clock.jump(-3600);
    await kit.post(taskId, "an hour back");
    await kit.ask(taskId);
    kit.clock.jump(7200);
    await kit.post(taskId, "forward");
    const events = await kit.store.readEvents(taskId, {});
    expect(events).toHaveLength(6);
    expect(findTimelineFault(events)).toBeNull();
    expect(events.at(-1)?.at).toBe(kit.now());
  });

  test("reading while others append sees a timeline without gaps, never shrinking", async ({
    kit,
  }) => {
    const taskId = await kit.start();
    let isWriting = true;
    const writer = (async () => {
      for (let i = 0; i < 60; i += 1) {
        await Promise.all([kit.post(taskId, `m${i}`), kit.post(taskId, `n${i}`)]);
      }
      isWriting = false;
    })();
    let seen = 0;
    let looks = 0;
    while (isWriting) {
      const before = await kit.store.lastPosition();
      const events = await kit.store.readEvents(taskId, {});
      const feed = await kit.store.readFeed({ afterPosition: 0, limit: 1000 });
      expect(findTimelineFault(events)).toBeNull();
      expect(events.length).toBeGreaterThanOrEqual(seen);
      expect(feed.length).toBeGreaterThanOrEqual(before);
      seen = events.length;
      looks += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer;
    expect(looks).toBeGreaterThan(0);
    expect(await kit.store.readEvents(taskId, {})).toHaveLength(121);
  });

  test("what is acknowledged is read at once", async ({ kit }) => {
    const { taskId, epoch } = await kit.running();
    for (let i = 0; i < 20; i += 1) {
      const { seq } = await kit.post(taskId, `m${i}`, epoch);
      const last = (await kit.store.readEvents(taskId, { afterSeq: seq - 1 })).at(-1);
      expect(last?.seq).toBe(seq);
      expect((await kit.task(taskId)).lastSeq).toBe(seq);
      expect(await kit.store.lastPosition()).toBe(last?.position);
    }
  });
}
