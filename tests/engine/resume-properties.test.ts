import fc from "fast-check";
import { expect, test } from "vitest";
import type { TaskContext } from "../../server/index.ts";
import { memoryWorld, rest, startProcess } from "./mortal-process.ts";
import { messagesOf } from "./test-engine.ts";

/** One call of a handler. Names and messages repeat, so that order is all that tells them apart. */
type Call =
  | { kind: "update"; message: string; isAwaited: boolean }
  | { kind: "step"; name: string; fails: boolean }
  | { kind: "ask"; seconds: number; isAnswered: boolean }
  | { kind: "sleep"; seconds: number };

const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("update" as const),
      message: fc.constantFrom("a", "b"),
      isAwaited: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("step" as const),
      name: fc.constantFrom("s", "t"),
      fails: fc.boolean(),
    }),
  },
  fc.record({
    kind: fc.constant("ask" as const),
    seconds: fc.constantFrom(3, 30),
    isAnswered: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("sleep" as const), seconds: fc.constantFrom(0, 2, 20) }),
);

test("wherever its processes die, a task does and says everything once", async () => {
  const program = fc.array(call, { minLength: 1, maxLength: 10 });
  const deaths = fc.array(fc.nat({ max: 10 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(program, deaths, async (calls, dyingAt) => {
      const world = await memoryWorld();
      const due = [...dyingAt];
      const ran: string[] = [];
      const handler = async (ctx: TaskContext) => {
        const own = process;
        const said: unknown[] = [];
        for (const [i, each] of calls.entries()) {
          if (due[0] === i) return new Promise(() => {});
          if (each.kind === "update") {
            const posted = ctx.update(each.message);
            if (each.isAwaited) await posted;
          } else if (each.kind === "step") {
            const step = ctx.step(each.name, () => {
              // What a dead process would do is not done.
              if (own.isDead) return new Promise<number>(() => {});
              ran.push(`${i}`);
              if (each.fails) throw new Error(`no ${i}`);
              return i;
            });
            said.push(await step.catch((error: Error) => error.message));
          } else if (each.kind === "ask") {
            const { outcome, answer } = await ctx.ask({ prompt: `${i}?`, timeout: each.seconds });
            said.push(outcome, answer);
          } else await ctx.sleep(each.seconds);
        }
        if (due[0] === calls.length) return new Promise(() => {});
        return said;
      };
      let process = startProcess(world);
      process.manager.registerTask({ type: "t", maxInterrupts: 100 }, handler);
      const taskId = await process.manager.startTask("t");
      const answered = new Set<string>();
      for (let seconds = 0; seconds < 500; seconds += 1) {
        await world.clock.settle();
        const { task } = await process.manager.getTask(taskId);
        if (task.status === "completed" || task.status === "failed") break;
        for (const { questionId, prompt } of await world.store.getOpenQuestions(taskId)) {
          const asked = calls[Number.parseInt(prompt, 10)];
          if (asked?.kind !== "ask" || !asked.isAnswered || answered.has(questionId)) continue;
          answered.add(questionId);
          await process.manager.respondToQuestion(taskId, questionId, `answer ${prompt}`);
          await world.clock.settle();
        }
        // A process dies when its handler hangs, and now and then in the middle of a wait.
        if (due.length > 0 && seconds % 7 === 6) {
          process.die();
          due.shift();
          process = startProcess(world);
          process.manager.registerTask({ type: "t", maxInterrupts: 100 }, handler);
          await process.manager.ready();
        }
        await world.clock.advance(1);
      }
      await rest(world);

      const { task, result, error } = await process.manager.getTask(taskId);
      expect(error).toBeNull();
      expect(task.status).toBe("completed");
      expect(await messagesOf(process, taskId)).toEqual(
        calls.flatMap((each) => (each.kind === "update" ? [each.message] : [])),
      );
      expect(ran).toEqual(calls.flatMap((each, i) => (each.kind === "step" ? [String(i)] : [])));
      expect(result).toEqual(
        calls.flatMap((each, i) => {
          if (each.kind === "step") return [each.fails ? `no ${i}` : i];
          if (each.kind !== "ask") return [];
          return each.isAnswered ? ["answered", `answer ${i}?`] : ["timed_out", null];
        }),
      );
    }),
    { numRuns: 60 },
  );
});
