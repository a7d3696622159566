import { expect } from "vitest";
import type {
  TaskContext,
  TaskManager,
  TaskQuestion,
  TaskResult,
  TaskUpdate,
} from "../../server/index.ts";
import { onEveryStore } from "../support/on-every-store.ts";

/** A promise and the function that fulfils it, for a handler to be held at a point. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function registerExport(manager: TaskManager, pauseSeconds = 0.03): void {
  manager.registerTask("export", async (ctx: TaskContext) => {
    for (const part of ["one", "two", "three"]) {
      ctx.update(`part ${part}`);
      await ctx.sleep(pauseSeconds);
    }
    const format = await ctx.askCustomer("Which format?", { choices: ["csv", "json"] });
    ctx.update(`writing ${format}`);
    return { format };
  });
}

type Seen = ["update", TaskUpdate] | ["question", TaskQuestion] | ["result", TaskResult];

/** The guide's recommended pattern: everything a task says, until it has ended. */
async function* watchTask(manager: TaskManager, taskId: string): AsyncGenerator<Seen> {
  let lastSeen: string | null = null;
  for (;;) {
    const response = await manager.pollTask(taskId, { since: lastSeen, timeout: 30 });
    for (const update of response.updates) {
      yield ["update", update];
      lastSeen = update.timestamp;
    }
    if (response.pendingQuestion) yield ["question", response.pendingQuestion];
    if (response.result) {
      yield ["result", response.result];
      return;
    }
  }
}

onEveryStore((test) => {
  test("the since loop prints every update once", async ({ manager }) => {
    registerExport(manager);
    const taskId = await manager.startTask("export");
    const printed: string[] = [];
    let lastSeen: string | null = null;
    for (;;) {
      const response = await manager.pollTask(taskId, { since: lastSeen });
      for (const update of response.updates) {
        printed.push(update.message);
        lastSeen = update.timestamp;
      }
      if (response.pendingQuestion) {
        await manager.respondToQuestion(taskId, response.pendingQuestion.questionId, "csv");
      }
      if (response.result) break;
    }
    expect(printed).toEqual(["part one", "part two", "part three", "writing csv"]);
  });

  test("watchTask yields updates, the question and the result, in that order", async ({
    manager,
  }) => {
    registerExport(manager);
    const taskId = await manager.startTask("export");
    const seen: string[] = [];
    for await (const [kind, what] of watchTask(manager, taskId)) {
      if (kind === "update") seen.push(what.message);
      if (kind === "question") {
        seen.push(what.prompt);
        await manager.respondToQuestion(taskId, what.questionId, "json");
      }
      if (kind === "result") seen.push(JSON.stringify(what.result));
    }
    expect(seen).toEqual([
      "part one",
      "part two",
      "part three",
      "Which format?",
      "writing json",
      '{"format":"json"}',
    ]);
  });

  test("a poll waits for news and comes back with it at once", async ({ manager }) => {
    const { open, opened } = gate();
    manager.registerTask("slow", async (ctx) => {
      await opened;
      ctx.update("at last");
      await ctx.sleep(60);
    });
    const taskId = await manager.startTask("slow");
    const polling = manager.pollTask(taskId, { timeout: 10 });
    const early = await Promise.race([polling, new Promise((r) => setTimeout(r, 60, "waiting"))]);
    expect(early).toBe("waiting");
    const opensAt = performance.now();
    open();
    expect((await polling).updates.map(({ message }) => message)).toEqual(["at last"]);
    expect(performance.now() - opensAt).toBeLessThan(3000);
  });

  test("without news a poll comes back empty after its timeout, and not before", async ({
    manager,
  }) => {
    manager.registerTask("silent", async (ctx) => ctx.sleep(60));
    const taskId = await manager.startTask("silent");
    const began = performance.now();
    const response = await manager.pollTask(taskId, { timeout: 0.1 });
    expect(performance.now() - began).toBeGreaterThanOrEqual(99);
    expect(response).toMatchObject({ status: "running", updates: [], result: null });
    expect((await manager.pollTask(taskId, { timeout: 0 })).updates).toEqual([]);
  });

  test("since takes a timestamp in any ISO form, and a cursor", async ({ manager }) => {
    const [posted, done] = [gate(), gate()];
    manager.registerTask("two", async (ctx) => {
      await ctx.update("first");
      await ctx.update("second");
      posted.open();
      await done.opened;
    });
    const taskId = await manager.startTask("two");
    await posted.opened;
    const all = await manager.pollTask(taskId);
    const [first, second] = all.updates;
    expect(all.updates).toHaveLength(2);
    expect(first!.timestamp < second!.timestamp).toBe(true);
    const forms = [
      first!.timestamp,
      first!.timestamp.replace("Z", "+00:00"),
      first!.timestamp.replace("Z", " 00:00"),
      first!.timestamp.replace("Z", ""),
    ];
    for (const since of forms) {
      const { updates } = await manager.pollTask(taskId, { since, timeout: 0 });
      expect(updates.map(({ message }) => message)).toEqual(["second"]);
    }
    const nothing = await manager.pollTask(taskId, { since: second!.timestamp, timeout: 0 });
    expect(nothing.updates).toEqual([]);
    expect((await manager.pollTask(taskId, { since: all.cursor, timeout: 0 })).updates).toEqual([]);
    done.open();
  });

  test("while somebody else answers, polling without a cursor does not spin", async ({
    manager,
  }) => {
    manager.registerTask("ask", async (ctx) => ctx.askCustomer("Go on?"));
    const taskId = await manager.startTask("ask");
    let polls = 0;
    const until = performance.now() + 1600;
    while (performance.now() < until) {
      const response = await manager.pollTask(taskId, { since: null, timeout: 0.5 });
      expect(response.pendingQuestion).not.toBeNull();
      polls += 1;
      // A caller that thinks for a moment between its polls.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // Up to a second of answers at once, then one in half a second.
    expect(polls).toBeLessThan(25);
  });
});
