import { describe, expect, test } from "vitest";
import {
  holdMillis,
  Outbox,
  type OutboxEvent,
  type Pending,
  type Said,
} from "../../components/questions/outbox.ts";
import { newQuestionData } from "../../server/core/task-question.ts";

const yes: Said = { kind: "answer", answer: "yes" };

function question(questionId: string) {
  return newQuestionData({ taskId: "t", prompt: "?", questionId });
}

/** An outbox whose time passes by hand. */
function newOutbox() {
  const timers: { at: number; work: () => void }[] = [];
  let now = 0;
  const sent: string[] = [];
  const left: string[] = [];
  const outbox = new Outbox({
    now: () => now,
    setTimer: (work, millis) => timers.push({ at: now + millis, work }),
  });
  const names = ({ questions }: Pending) => questions.map((each) => each.questionId).join();
  const say = (ids: string[], hold = 5000, said = yes) =>
    outbox.add({ questions: ids.map(question), said }, hold, {
      deliver: async (pending) => void sent.push(names(pending)),
      deliverLeaving: (pending) => void left.push(names(pending)),
    });
  const pass = async (millis: number) => {
    now += millis;
    for (const { at, work } of timers.splice(0)) {
      if (at <= now) work();
      else timers.push({ at, work });
    }
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { outbox, say, pass, sent, left };
}

describe("how long an answer is held back", () => {
  const due = (seconds: number) => [
    { deadline: new Date(seconds * 1000).toISOString().replace("Z", "000Z") },
  ];

  test("five seconds, and never into the last two before the deadline", () => {
    expect(holdMillis(due(600), 0)).toBe(5000);
    expect(holdMillis(due(5), 0)).toBe(3000);
    expect(holdMillis(due(2.2), 0)).toBe(0);
    expect(holdMillis(due(1), 0)).toBe(0);
    expect(holdMillis(due(-5), 0)).toBe(0);
  });

  test("of several, the soonest deadline counts", () => {
    expect(holdMillis([...due(600), ...due(4)], 0)).toBe(2000);
  });
});

test("it goes out when its time has come, once", async () => {
  const { outbox, say, pass, sent } = newOutbox();
  say(["a"]);
  await pass(4999);
  expect(sent).toEqual([]);
  expect(outbox.pending()).toMatchObject([{ state: "held", sendAt: 5000 }]);
  await pass(1);
  outbox.sendNow();
  await pass(10_000);
  expect(sent).toEqual(["a"]);
  expect(outbox.pending()).toEqual([]);
});

test("what was said last is taken back first, or what was said to one question", async () => {
  const { outbox, say, pass, sent } = newOutbox();
  const events: OutboxEvent[] = [];
  outbox.onEvent((event) => events.push(event));
  for (const id of ["a", "b", "c"]) say([id]);
  expect(outbox.undo("a")?.questions).toMatchObject([{ questionId: "a" }]);
  expect(outbox.undo()?.questions).toMatchObject([{ questionId: "c" }]);
  await pass(6000);
  expect(sent).toEqual(["b"]);
  expect(outbox.undo()).toBeNull();
  expect(events.map(({ kind }) => kind)).toEqual(["undone", "undone"]);
});

test("a page that is left sends all that is held, and nothing twice", async () => {
  const { outbox, say, pass, sent, left } = newOutbox();
  say(["a"], 0);
  await pass(0);
  say(["b"]);
  say(["c", "d"]);
  outbox.leave();
  await pass(6000);
  expect(sent).toEqual(["a"]);
  expect(left).toEqual(["b", "c,d"]);
});

test("what is on its way when the page is left goes out again, in the way that outlives it", () => {
  const { outbox, say, sent, left } = newOutbox();
  say(["a"]);
  // A browser that leaves may say first that the page is hidden.
  outbox.sendNow();
  outbox.leave();
  expect(sent).toEqual(["a"]);
  expect(left).toEqual(["a"]);
});

test("a question that ends elsewhere takes what was held for it along, and no more", async () => {
  const { outbox, say, pass, sent } = newOutbox();
  const events: OutboxEvent[] = [];
  outbox.onEvent((event) => events.push(event));
  say(["a", "b"]);
  say(["c"]);
  outbox.closed({ ...question("a"), outcome: "declined" });
  outbox.closed({ ...question("c"), outcome: "answered" });
  await pass(6000);
  expect(sent).toEqual(["b"]);
  expect(events).toMatchObject([
    { kind: "late", question: { questionId: "a" } },
    { kind: "late", question: { questionId: "c" } },
  ]);
});

test("no more is held than a page that goes away could send", async () => {
  const { outbox, say, sent } = newOutbox();
  say(["old"], 5000, { kind: "answer", answer: "x".repeat(30_000) });
  say(["new"], 5000, { kind: "answer", answer: "y".repeat(30_000) });
  expect(sent).toEqual(["old"]);
  expect(outbox.pending().filter(({ state }) => state === "held")).toHaveLength(1);
});

test("a refusal stands until the question is answered again", () => {
  const { outbox, say } = newOutbox();
  const error = { code: "invalid_answer", message: "no", issues: [], details: {} };
  outbox.refuse(question("a"), error);
  expect(outbox.refusals().get("a")).toBe(error);
  say(["a"]);
  expect(outbox.refusals().size).toBe(0);
});
