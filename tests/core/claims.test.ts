import { describe, expect, test } from "vitest";
import { claimHolder, claimSeconds, withoutOldClaim } from "../../server/core/claim.ts";
import { canonicalJson } from "../../server/core/json.ts";
import type { QuestionData } from "../../server/core/task-question.ts";
import { toTimestamp } from "../../server/core/timestamp.ts";
import {
  agent,
  ann,
  ask,
  bob,
  claim,
  claimQuestion,
  later,
  releaseQuestion,
  resolve,
} from "../support/paper-commands.ts";
import { TaskOnPaper } from "../support/task-on-paper.ts";

function waiting(seconds = 3600): TaskOnPaper {
  const task = new TaskOnPaper();
  claim(task);
  ask(task, { questionId: "q_1", timeout: seconds, deadline: later(task, seconds) });
  return task.wait(1);
}

const question = (task: TaskOnPaper) => task.questions.get("q_1") as QuestionData;
const holder = (task: TaskOnPaper) => claimHolder(question(task), toTimestamp(task.at))?.id ?? null;

describe("a claim", () => {
  test("is over by the time alone, and then anybody's", () => {
    const task = waiting();
    claimQuestion(task, ann);
    expect(holder(task.wait(claimSeconds - 1))).toBe("ann");
    expect(claimQuestion(task, bob)).toMatchObject({ claimed: false });
    expect(holder(task.wait(1))).toBeNull();
    expect(withoutOldClaim(question(task), toTimestamp(task.at))).toMatchObject({
      claimedBy: null,
      claimedUntil: null,
    });
    expect(releaseQuestion(task, bob)).toMatchObject({ released: true });
    expect(claimQuestion(task, bob)).toMatchObject({ claimed: true });
    expect(task.events.at(-1)).toMatchObject({ kind: "question_claimed", takenFrom: null });
  });

  test("is taken over only by who says so, and the log says from whom", () => {
    const task = waiting();
    claimQuestion(task, ann);
    expect(claimQuestion(task, bob)).toMatchObject({ claimed: false });
    expect(holder(task)).toBe("ann");
    expect(claimQuestion(task, bob, { takeOver: true })).toMatchObject({ claimed: true });
    expect(holder(task)).toBe("bob");
    expect(task.events.at(-1)).toMatchObject({ actor: { id: "bob" }, takenFrom: { id: "ann" } });
    expect(releaseQuestion(task, ann)).toMatchObject({ released: false });
  });

  test("is taken anew for another ten minutes; a repeated call is told of once", () => {
    const task = waiting();
    claimQuestion(task, ann);
    const events = task.events.length;
    claimQuestion(task.wait(5), ann);
    expect(task.events).toHaveLength(events);
    claimQuestion(task.wait(claimSeconds / 2), ann);
    expect(task.events).toHaveLength(events + 1);
    expect(holder(task.wait(claimSeconds - 10))).toBe("ann");
  });

  test("is for people only", () => {
    const task = waiting();
    expect(() => claimQuestion(task, agent, { takeOver: true })).toThrow(/Only a person/);
    expect(holder(task)).toBeNull();
  });

  test("holds nobody off, and is over with any outcome", () => {
    const task = waiting();
    claimQuestion(task, ann);
    expect(resolve(task, "q_1", "answered", agent)).toMatchObject({ won: true });
    expect(question(task)).toMatchObject({ claimedBy: null, claimedUntil: null });
    expect(claimQuestion(task, ann)).toMatchObject({ claimed: false });
  });

  test("does not outlive the deadline", () => {
    const task = waiting(60);
    claimQuestion(task, ann);
    expect(claimQuestion(task.wait(60), bob, { takeOver: true })).toMatchObject({
      claimed: false,
      question: { outcome: "timed_out", claimedBy: null },
    });
  });
});

describe("a claim of an approval", () => {
  const args = { amount: 100 };
  const argsDigest = canonicalJson(args);

  function asking(fields: { needed?: number; selfApproval?: boolean }): TaskOnPaper {
    const task = new TaskOnPaper({ actor: { ...agent, keyOwnerId: "ann" } });
    claim(task);
    ask(task, {
      questionId: "q_1",
      answerableBy: "operator",
      approval: {
        action: "pay",
        args,
        argsDigest,
        askedDigest: argsDigest,
        argsSchema: null,
        allowEdit: false,
        edited: null,
        needed: 1,
        given: [],
        selfApproval: true,
        expiresIn: 300,
        expiresAt: null,
        usedBy: null,
        ...fields,
      },
    });
    return task.wait(1);
  }

  test("ends when its holder has approved and others still have to", () => {
    const task = asking({ needed: 2 });
    claimQuestion(task, bob);
    task.do<"resolve">({
      kind: "resolve",
      questionId: "q_1",
      outcome: "answered",
      answer: { approve: true },
      declineReason: null,
      actor: bob,
      approval: { seenDigest: argsDigest, edit: null },
    });
    expect(question(task)).toMatchObject({ outcome: null, claimedBy: null });
  });

  test("is not for whoever must not approve it", () => {
    const task = asking({ selfApproval: false });
    expect(() => claimQuestion(task, ann)).toThrow(/somebody else/);
    expect(claimQuestion(task, bob)).toMatchObject({ claimed: true });
  });
});
