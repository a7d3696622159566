import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Actor, libraryActor, systemActor } from "../../server/core/actor.ts";
import type { Approval, ApprovalVote } from "../../server/core/approval.ts";
import type { Command } from "../../server/core/command.ts";
import type { JsonValue } from "../../server/core/json.ts";
import { type QuestionData, TaskQuestion } from "../../server/core/task-question.ts";
import { addSeconds, toTimestamp } from "../../server/core/timestamp.ts";
import { agent, ann, ask, bob, cancel, claim, retry } from "../support/paper-commands.ts";
import { TaskOnPaper } from "../support/task-on-paper.ts";

const cleo: Actor = { kind: "operator", id: "cleo", name: "Cleo", surface: "dashboard" };
const args = { order: "A-1", amount: 40 };
const other = { order: "A-1", amount: 400 };
const bare: ApprovalVote = { seenDigest: null, edit: null };
const saw = (seenDigest: string): ApprovalVote => ({ seenDigest, edit: null });
const editTo = (value: JsonValue, argsDigest: string): ApprovalVote => ({
  seenDigest: null,
  edit: { args: value, argsDigest },
});

const plain: Approval = {
  action: "refund",
  args,
  argsDigest: "d40",
  askedDigest: "d40",
  argsSchema: null,
  allowEdit: false,
  edited: null,
  needed: 1,
  given: [],
  selfApproval: true,
  expiresIn: 900,
  expiresAt: null,
  usedBy: null,
};

/** A running task that waits for the approval `q_1`. */
function asking(fields: Partial<Approval> = {}, start: Partial<Command<"start">> = {}) {
  const task = new TaskOnPaper(start);
  claim(task.wait(1));
  ask(task, { questionId: "q_1", answerableBy: "operator", approval: { ...plain, ...fields } });
  return task.wait(1);
}

function say(task: TaskOnPaper, actor: Actor | null, vote: ApprovalVote | undefined = bare) {
  return task.do<"resolve">({
    kind: "resolve",
    questionId: "q_1",
    outcome: "answered",
    answer: { approve: true },
    declineReason: null,
    actor,
    approval: vote,
  });
}

function decline(task: TaskOnPaper, actor: Actor) {
  return task.do<"resolve">({
    kind: "resolve",
    questionId: "q_1",
    outcome: "declined",
    answer: null,
    declineReason: "no",
    actor,
  });
}

function useGrant(task: TaskOnPaper, fields: Partial<Command<"record">["grant"]> = {}, key = "#1") {
  const { taskId, epoch } = task.record;
  const startedAt = toTimestamp(task.at);
  task.do<"record">({
    kind: "record",
    epoch,
    grant: { questionId: "q_1", argsDigest: "d40", at: startedAt, ...fields },
    entry: {
      taskId,
      kind: "step",
      name: "pay",
      key,
      status: "ok",
      value: 1,
      error: null,
      startedAt,
    },
  });
}

const q1 = (task: TaskOnPaper) =>
  task.questions.get("q_1") as QuestionData & { approval: Approval };
const givenBy = (task: TaskOnPaper) => q1(task).approval.given.map(({ by }) => by.id);

describe("an approval", () => {
  test("by an operator answers the question and begins the grant's time", () => {
    const task = asking();
    expect(say(task, ann).won).toBe(true);
    const { outcome, answer, resolvedAt, resolvedBy, approval } = q1(task);
    expect({ outcome, answer, resolvedBy }).toEqual({
      outcome: "answered",
      answer: { approve: true },
      resolvedBy: ann,
    });
    expect(approval.given).toEqual([{ by: ann, at: resolvedAt }]);
    expect(approval.expiresAt).toBe(addSeconds(resolvedAt as string, 900));
    expect(task.record.status).toBe("running");
    expect(task.events.map(({ kind }) => kind)).not.toContain("approval_given");
  });

  test.each([
    ["an agent", agent],
    ["the in-process caller", libraryActor],
    ["the system", systemActor],
    ["nobody", null],
    ["an agent with an operator's id", { ...ann, kind: "agent" } as Actor],
  ])("cannot be given or declined by %s", (_, actor) => {
    const task = asking();
    expect(() => say(task, actor)).toThrow(/only be answered by an operator/);
    if (actor) expect(() => decline(task, actor)).toThrow(/only be answered by an operator/);
    expect(q1(task)).toMatchObject({ outcome: null, approval: { given: [] } });
  });

  test("is an operator's question, and begins unanswered, whatever asks for it", () => {
    const task = new TaskOnPaper();
    claim(task.wait(1));
    ask(task, {
      questionId: "q_1",
      answerableBy: "anyone",
      hasDefault: true,
      defaultValue: { approve: true },
      outcome: "answered",
      answer: { approve: true },
      approval: { ...plain, given: [{ by: ann, at: "x" }], expiresAt: "9999", usedBy: null },
    });
    expect(() => say(task.wait(1), agent)).toThrow(/operator/);
    expect(q1(task)).toMatchObject({ outcome: null, hasDefault: false, answerableBy: "operator" });
    expect(q1(task).approval).toMatchObject({ given: [], expiresAt: null });
    expect(() => useGrant(task)).toThrow(/was not approved/);
  });

  test("without saying so is none: a text, a false, a missing vote", () => {
    const task = asking();
    const command = { kind: "resolve", questionId: "q_1", outcome: "answered" } as const;
    const rest = { answer: "yes", declineReason: null, actor: ann };
    expect(() => task.do<"resolve">({ ...command, ...rest })).toThrow(/"approve": true/);
    expect(q1(task).outcome).toBeNull();
  });

  test("does not come after the deadline, a decline or a cancel", () => {
    const late = asking();
    expect(say(late.wait(400), ann)).toMatchObject({
      won: false,
      question: { outcome: "timed_out" },
    });
    const declined = asking();
    decline(declined, bob);
    expect(say(declined, ann)).toMatchObject({ won: false, question: { outcome: "declined" } });
    const cancelled = asking();
    cancel(cancelled);
    expect(say(cancelled, ann)).toMatchObject({ won: false, question: { outcome: "cancelled" } });
    for (const task of [late, declined, cancelled]) expect(() => useGrant(task)).toThrow();
  });
});

describe("self-approval", () => {
  const owned: Actor = { ...agent, keyOwnerId: "ann" };

  test.each([
    ["who started the task", ann],
    ["who owns the key that did", owned],
  ])("is refused to %s where the type says so", (_, actor) => {
    const task = asking({ selfApproval: false, allowEdit: true, needed: 2 }, { actor });
    expect(() => say(task, ann)).toThrow(/somebody else has to approve/);
    expect(() => say(task, ann, editTo(other, "d400"))).toThrow(/somebody else has to approve/);
    expect(() => say(task, { ...ann, surface: "rest", name: "Not Ann" })).toThrow(/somebody else/);
    expect(givenBy(task)).toEqual([]);
    expect(say(task, bob).won).toBe(true);
    // Saying no to one's own task is no way around anything.
    expect(decline(task, ann).won).toBe(true);
  });

  test("is fine otherwise, and an agent of the same id is another actor", () => {
    expect(say(asking({}, { actor: ann }), ann).won).toBe(true);
    const byAgent = { ...agent, id: "ann" };
    expect(say(asking({ selfApproval: false }, { actor: byAgent }), ann).won).toBe(true);
  });
});

describe("a quorum", () => {
  test("waits for the second person, shows the first, and tells the timeline", () => {
    const task = asking({ needed: 2 });
    expect(say(task, ann)).toMatchObject({ won: true, question: { outcome: null } });
    expect(task.record).toMatchObject({ status: "waiting_for_input", openQuestions: 1 });
    expect(task.events.at(-1)).toMatchObject({
      kind: "approval_given",
      questionId: "q_1",
      actor: ann,
      given: 1,
      needed: 2,
      edited: false,
      dropped: 0,
    });
    expect(() => useGrant(task)).toThrow(/was not approved/);
    say(task.wait(1), bob);
    expect(q1(task)).toMatchObject({ outcome: "answered", resolvedBy: bob });
    expect(givenBy(task)).toEqual(["ann", "bob"]);
  });

  test("counts a person once, over whichever surface they come", () => {
    const task = asking({ needed: 2 });
    say(task, ann);
    const before = [...task.events];
    expect(say(task, { ...ann, surface: "rest", name: "Ann again" })).toMatchObject({
      won: true,
      question: { outcome: null },
    });
    expect(givenBy(task)).toEqual(["ann"]);
    expect(task.events).toEqual(before);
  });

  test("ends with one no", () => {
    const task = asking({ needed: 2 });
    say(task, ann);
    decline(task, bob);
    expect(q1(task)).toMatchObject({ outcome: "declined", declineReason: "no" });
    expect(say(task, cleo).won).toBe(false);
  });

  test("is told as won to those who made it, when they say it again, and to nobody else", () => {
    const task = asking({ needed: 2 });
    say(task, ann);
    say(task, bob);
    expect(say(task, ann).won).toBe(true);
    expect(say(task, bob, saw("d40")).won).toBe(true);
    expect(say(task, ann, saw("d400")).won).toBe(false);
    expect(say(task, cleo).won).toBe(false);
    expect(givenBy(task)).toEqual(["ann", "bob"]);
  });
});

describe("editing", () => {
  test("is refused where the handler does not allow it", () => {
    const task = asking();
    expect(() => say(task, ann, editTo(other, "d400"))).toThrow(/must not be changed/);
    expect(say(task, ann, editTo(args, "d40")).won).toBe(true);
    expect(q1(task).approval.edited).toBeNull();
  });

  test("gives new arguments with a new digest, and keeps what was asked", () => {
    const task = asking({ allowEdit: true });
    say(task, ann, editTo(other, "d400"));
    const { answer, approval } = q1(task);
    expect(answer).toEqual({ approve: true, args: other });
    expect(approval).toMatchObject({ args: other, argsDigest: "d400", askedDigest: "d40" });
    expect(approval.edited).toMatchObject({ by: ann, askedArgs: args });
    expect(() => useGrant(task, { argsDigest: "d40" })).toThrow(/with other arguments/);
    useGrant(task, { argsDigest: "d400" });
  });

  test("takes away the approvals before it, and says so", () => {
    const task = asking({ allowEdit: true, needed: 2 });
    say(task, ann);
    say(task, bob, editTo(other, "d400"));
    expect(givenBy(task)).toEqual(["bob"]);
    expect(task.events.at(-1)).toMatchObject({ given: 1, edited: true, dropped: 1 });
    // Ann's page still shows what she approved: her yes to that counts for nothing now.
    expect(() => say(task, ann, saw("d40"))).toThrow(/have changed since you looked/);
    expect(() => say(task, ann)).toThrow(/edited by Bob/);
    expect(q1(task).outcome).toBeNull();
    say(task, ann, saw("d400"));
    expect(q1(task)).toMatchObject({ outcome: "answered", approval: { args: other } });
  });

  test("back to what was asked is no edit any more", () => {
    const task = asking({ allowEdit: true, needed: 2 });
    say(task, ann, editTo(other, "d400"));
    say(task, bob, editTo(args, "d40"));
    expect(q1(task).approval).toMatchObject({ args, edited: null });
    say(task, ann);
    expect(q1(task)).toMatchObject({ outcome: "answered", answer: { approve: true } });
  });

  test("from what no longer stands is refused", () => {
    const task = asking({ allowEdit: true, needed: 2 });
    say(task, ann, editTo(other, "d400"));
    const stale = { seenDigest: "d40", edit: { args: 1, argsDigest: "d1" } };
    expect(() => say(task, bob, stale)).toThrow(/have changed since you looked/);
  });
});

describe("a grant", () => {
  const granted = () => {
    const task = asking();
    say(task, ann);
    return task.wait(1);
  };
  const reason = (run: () => void) => {
    try {
      run();
    } catch (error) {
      return (error as { code: string; details: { reason: string } }).details.reason;
    }
    return "not refused";
  };

  test("is used up by the write that records the step", () => {
    const task = granted();
    useGrant(task);
    expect(q1(task).approval.usedBy).toMatchObject({ name: "pay", key: "#1" });
    expect(task.journal).toHaveLength(1);
    expect(task.events.at(-1)).toMatchObject({ kind: "step_completed", grantOf: "q_1" });
  });

  test("is refused twice, and nothing of the second step is written", () => {
    const task = granted();
    useGrant(task);
    expect(reason(() => useGrant(task, {}, "#2"))).toBe("used");
    expect(task.journal).toHaveLength(1);
  });

  test("is refused for other arguments, once it expired, and when it is no grant of the task", () => {
    const task = granted();
    expect(reason(() => useGrant(task, { argsDigest: "d400" }))).toBe("other_args");
    expect(reason(() => useGrant(task, { questionId: "q_9" }))).toBe("foreign");
    expect(reason(() => useGrant(task.wait(900)))).toBe("expired");
    const plainQuestion = new TaskOnPaper();
    claim(plainQuestion.wait(1));
    ask(plainQuestion, { questionId: "q_1" });
    expect(reason(() => useGrant(plainQuestion))).toBe("foreign");
    const open = asking();
    expect(reason(() => useGrant(open))).toBe("not_granted");
  });

  test("stands by when the step began, however long it took", () => {
    const task = granted();
    const at = toTimestamp(task.at);
    useGrant(task.wait(5000), { at });
    expect(q1(task).approval.usedBy).not.toBeNull();
  });

  test("stays with a retry while it is not used; the approval is not asked for again", () => {
    const task = granted();
    retry(task);
    claim(task.wait(10));
    expect(q1(task)).toMatchObject({ outcome: "answered", forgotten: false });
    useGrant(task);
    expect(() => useGrant(task, {}, "#2")).toThrow(/has used it/);
  });
});

test("whoever votes in whatever order, a quorum is that many people for the same arguments", () => {
  const people = [ann, bob, cleo, { ...ann, id: "dan", name: "Dan" }];
  const vote = fc.oneof(
    fc.record({ who: fc.constantFrom(...people), what: fc.constantFrom("bare", "seen") }),
    fc.record({ who: fc.constantFrom(...people), what: fc.constantFrom("edit1", "edit2") }),
    fc.record({ who: fc.constantFrom(agent, libraryActor), what: fc.constant("bare") }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(vote, { maxLength: 14 }),
      (needed, all) => {
        const task = asking({ needed, allowEdit: true });
        // What each person last said yes to; a yes to other arguments takes all others away.
        let yes = new Map<string, string>();
        let standing = "d40";
        let ended = false;
        for (const { who, what } of all) {
          const { won } = attempt(() => say(task, who, voteOf(what, standing)));
          if (ended || !won) continue;
          const digest = what.startsWith("edit") ? what : standing;
          if (digest !== standing) yes = new Map();
          standing = digest;
          yes.set(who.id, digest);
          ended = yes.size >= needed;
        }
        const { approval, outcome } = q1(task);
        expect(outcome).toBe(ended ? "answered" : null);
        expect(new Set(givenBy(task))).toEqual(new Set(yes.keys()));
        expect(givenBy(task)).toHaveLength(yes.size);
        expect(approval.argsDigest).toBe(standing);
        const answers = task.events.filter(({ kind }) => kind === "question_resolved");
        expect(answers).toHaveLength(ended ? 1 : 0);
      },
    ),
  );
});

function voteOf(what: string, standing: string): ApprovalVote {
  if (what === "bare") return bare;
  return what === "seen" ? saw(standing) : editTo({ what }, what);
}

function attempt(run: () => { won: boolean }): { won: boolean } {
  try {
    return run();
  } catch {
    return { won: false };
  }
}

test("a question's JSON form has the approval, so that every surface shows it", () => {
  const { approval } = new TaskQuestion({ taskId: "t", prompt: "p", approval: plain }).toJSON();
  expect(approval).toEqual(plain);
});
