import fc from "fast-check";
import { expect, test } from "vitest";
import { isTerminal } from "../../server/index.ts";
import { agent, ann, drive, openQuestion, otherAgent, testEngine, watch } from "./test-engine.ts";

const moves = {
  "agent answers": (race: Race) => race.say("from the agent", agent),
  "other agent answers": (race: Race) => race.say("from another", otherAgent),
  "Ann answers": (race: Race) => race.say("from Ann", ann),
  "Ann declines": (race: Race) => race.decline(),
  "a bad answer": (race: Race) => race.say(17, agent).catch(() => {}),
  cancel: (race: Race) => race.engine.manager.cancelTask(race.taskId, { actor: ann }),
  "force cancel": (race: Race) => race.engine.manager.cancelTask(race.taskId, { force: true }),
  "the handler ends": async (race: Race) => race.finish(),
  "a moment passes": (race: Race) => race.engine.clock.advance(0.5),
  "the deadline passes": (race: Race) => race.engine.clock.advance(10),
  "the clock jumps": async (race: Race) => race.engine.clock.jump(10),
  "promises settle": (race: Race) => race.engine.clock.settle(),
};

class Race {
  readonly engine = testEngine();
  readonly wins: string[] = [];
  taskId = "";
  questionId = "";
  finish: () => void = () => {};
  outcome = watch<{ outcome: string }>(new Promise(() => {}));
  polled = watch(new Promise<{ status: string }>(() => {}));

  async begin(hasDefault: boolean): Promise<void> {
    const { taskId, ctx, finish } = await drive(this.engine);
    this.taskId = taskId;
    this.finish = finish;
    const request = { prompt: "Who?", timeout: 10, ...(hasDefault ? { default: "nobody" } : {}) };
    this.outcome = watch<{ outcome: string }>(ctx.ask(request));
    await this.engine.clock.settle();
    this.questionId = (await openQuestion(this.engine, taskId)).questionId;
    const { cursor } = await this.engine.manager.pollTask(taskId);
    this.polled = watch(this.engine.manager.pollTask(taskId, { since: cursor, timeout: 1000 }));
  }

  async say(answer: unknown, actor: typeof agent): Promise<void> {
    const { manager } = this.engine;
    const { won } = await manager.answerQuestion(this.questionId, answer, { actor });
    if (won) this.wins.push(`answered by ${actor.id}`);
  }

  async decline(): Promise<void> {
    const { manager } = this.engine;
    const { won } = await manager.declineQuestion(this.questionId, { actor: ann });
    if (won) this.wins.push("declined by ann");
  }
}

test("whatever races, a question has exactly one outcome and everybody is told the same", async () => {
  const name = fc.constantFrom(...(Object.keys(moves) as (keyof typeof moves)[]));
  // Moves of one group are begun together, so that they interleave.
  const history = fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (groups, hasDefault) => {
      const race = new Race();
      await race.begin(hasDefault);
      for (const group of groups) {
        await Promise.all(group.map((move) => moves[move](race)));
      }
      await race.engine.clock.advance(20);
      const { manager } = race.engine;
      const question = await manager.getQuestion(race.questionId);
      const { task } = await manager.getTask(race.taskId);
      const events = await manager.readEvents(race.taskId);
      const resolved = events.filter((event) => event.kind === "question_resolved");

      expect(resolved).toHaveLength(1);
      expect(question.outcome).not.toBeNull();
      expect(resolved[0]).toMatchObject({
        outcome: question.outcome,
        defaultUsed: question.defaultUsed,
      });
      expect(question.defaultUsed).toBe(question.outcome === "timed_out" && hasDefault);
      expect(task.openQuestions).toBe(0);
      expect(task.status).not.toBe("waiting_for_input");
      // All who won agree on what won, and it is what is stored.
      const winner = `${question.outcome} by ${question.resolvedBy?.id}`;
      expect([...new Set(race.wins)]).toEqual(
        question.outcome === "answered" || question.outcome === "declined" ? [winner] : [],
      );
      if (question.outcome !== "answered") expect(question.answer).toBeNull();
      // The handler heard the same, unless its task was ended over its head.
      if (race.outcome.state === "fulfilled") {
        expect(race.outcome.value?.outcome).toBe(question.outcome);
      } else {
        expect(isTerminal(task.status)).toBe(true);
      }
      expect(race.polled.state).toBe("fulfilled");
      expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
      expect(events.filter((event) => event.kind === "task_finished")).toHaveLength(
        isTerminal(task.status) ? 1 : 0,
      );
    }),
    { numRuns: 150 },
  );
});
