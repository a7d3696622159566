import fc from "fast-check";
import { expect, test } from "vitest";
import type { Actor, Approval, Grant } from "../../server/index.ts";
import { agent, ann, drive, openQuestion, testEngine, watch } from "./test-engine.ts";

const people = ["ann", "bob", "cleo"].map((id): Actor => ({ ...ann, id, name: id }));
const asked = { amount: 10 };
const edited = { amount: 5 };

type Move = { what: "approve" | "edit" | "decline"; who: number } | { what: MoveOfNobody };
type MoveOfNobody = "agent approves" | "cancel" | "a moment passes" | "the deadline passes";

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom("approve" as const, "approve" as const, "edit" as const),
      who: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("decline" as const), who: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom<MoveOfNobody>(
        "agent approves",
        "cancel",
        "a moment passes",
        "the deadline passes",
      ),
    }),
  },
);

test("whoever races for a quorum, there is one outcome, and a grant only of enough different people", async () => {
  // Moves of one group are begun together, so that they interleave.
  const groups = fc.array(fc.array(move, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(groups, fc.integer({ min: 1, max: 3 }), async (all, approvals) => {
      const engine = testEngine();
      const { manager, clock } = engine;
      const { ctx, taskId } = await drive(engine);
      const outcome = watch(
        ctx.approve("refund", asked, { approvals, allowEdit: true, timeout: 10 }),
      );
      await clock.settle();
      const { questionId } = await openQuestion(engine, taskId);
      /** What each person was told counts, and for which amount. */
      const told: { id: string; open: boolean; amount: number }[] = [];
      const say = async (answer: object, actor: Actor, amount: number) => {
        const { won, question } = await manager.answerQuestion(questionId, answer, { actor });
        if (won) told.push({ id: actor.id, open: question.outcome === null, amount });
      };
      const play = async (one: Move): Promise<unknown> => {
        switch (one.what) {
          case "approve": {
            // As a page does: with the digest of what stands there now.
            const { args, argsDigest } = (await manager.getQuestion(questionId))
              .approval as Approval;
            const { amount } = args as typeof asked;
            return say({ approve: true, argsDigest }, people[one.who] as Actor, amount);
          }
          case "edit":
            return say({ approve: true, args: edited }, people[one.who] as Actor, edited.amount);
          case "decline":
            return manager.declineQuestion(questionId, { actor: people[one.who] as Actor });
          case "agent approves":
            return say({ approve: true }, agent, 0);
          case "cancel":
            return manager.cancelTask(taskId);
          case "a moment passes":
            return clock.advance(0.5);
          case "the deadline passes":
            return clock.advance(10);
        }
      };
      for (const group of all) await Promise.all(group.map((one) => play(one).catch(() => {})));
      await clock.advance(20);

      const { outcome: end, approval, resolvedBy } = await manager.getQuestion(questionId);
      const events = await manager.readEvents(taskId);
      expect(events.filter(({ kind }) => kind === "question_resolved")).toHaveLength(1);
      expect(told.map(({ id }) => id)).not.toContain(agent.id);
      const given = approval?.given.map(({ by }) => by.id) ?? [];
      expect(new Set(given).size).toBe(given.length);
      if (end === "answered") {
        expect(given).toHaveLength(approvals);
        expect(resolvedBy?.id).toBe(given.at(-1));
        const grant = outcome.value as unknown as Grant<typeof asked>;
        expect(grant.args).toEqual(approval?.args);
        // Everybody who counts was told so, for exactly what the grant is for.
        for (const id of given) {
          expect(told).toContainEqual(expect.objectContaining({ id, amount: grant.args.amount }));
        }
      } else {
        expect(given.length).toBeLessThan(approvals);
        expect(outcome.state).toBe("rejected");
        expect(told.every(({ open }) => open)).toBe(true);
      }
      await manager.shutdown(0);
    }),
    { numRuns: 150 },
  );
});
