import { beforeAll, describe, expect, test } from "vitest";
import { checkHistory } from "./check-history.ts";
import type { History } from "./history.ts";
import { type CrashTestResult, runCrashTest } from "./run-crash-test.ts";

const kills = 10;
// Another one every time, so that every run of the tests looks somewhere else.
const seed = Date.now() % 1_000_000;
let result: CrashTestResult;

beforeAll(async () => {
  result = await runCrashTest({ kills, seed });
}, 400_000);

test(`${kills} kills lose nothing and double nothing (npm run test:crash -- --kills ${kills} --seed ${seed})`, () => {
  expect(result.violations.join("\n")).toBe("");
  const { counts } = result;
  for (const name of ["starts", "steps", "updates", "answers", "events seen by streams"]) {
    expect(counts[name], name).toBeGreaterThan(0);
  }
});

/** What the checker says of the same run with one thing about it changed. */
function violationsWith(change: (history: History) => void): string[] {
  const history = structuredClone(result.history);
  change(history);
  return checkHistory(history).violations;
}

/** The first that fits. A run of this length always has one. */
function some<T>(items: readonly T[], fits: (item: T) => boolean = () => true): T {
  const found = items.find(fits);
  if (found === undefined) throw new Error("the run has none of these to change");
  return found;
}

// The checker looks at the same run again and again, each time with one lie in it.
describe("the checker notices", () => {
  const lies: [name: string, says: RegExp, change: (history: History) => void][] = [
    [
      "an acknowledged start that is lost",
      /start \d+ .* was acknowledged as .*, which is not there/,
      ({ starts, final }) => {
        const { taskId } = some(starts.flatMap(({ acknowledged }) => acknowledged));
        final.tasks = final.tasks.filter((task) => task.taskId !== taskId);
      },
    ],
    [
      "an idempotent start that made two tasks",
      /made 2 tasks under one key/,
      ({ starts, final }) => {
        const { idempotencyKey } = some(
          starts,
          (s) => s.idempotencyKey !== null && !!s.acknowledged[0],
        );
        const task = some(final.tasks, (one) => one.idempotencyKey === idempotencyKey);
        const events = task.events.map((event) => ({ ...event, position: event.position + 1e6 }));
        final.tasks.push({ ...task, taskId: "task_second", events });
      },
    ],
    [
      "an acknowledged cancel that is lost",
      /a cancel of .* was acknowledged; its timeline has 0/,
      ({ cancels, final }) => {
        const task = some(final.tasks, (one) => one.cancelRequestedAt === null);
        cancels.push({ taskId: task.taskId, cancelled: true });
      },
    ],
    [
      "an update that is lost",
      /an update of .* is lost/,
      ({ ledger, final }) => {
        const posted = some(ledger, ({ kind }) => kind === "posted");
        const task = some(final.tasks, (one) => one.taskId === posted.taskId);
        task.events = task.events.filter(
          (event) =>
            posted.kind !== "posted" || !("message" in event) || event.message !== posted.message,
        );
      },
    ],
    [
      "an update that is there twice",
      /an update of .* is there twice/,
      ({ ledger, final }) => {
        const posted = some(ledger, ({ kind }) => kind === "posted");
        const task = some(final.tasks, (one) => one.taskId === posted.taskId);
        const update = some(
          task.events,
          (event) =>
            posted.kind === "posted" && "message" in event && event.message === posted.message,
        );
        task.events.push(update);
      },
    ],
    [
      "a seq that is left out",
      /has seq 3 in place 2/,
      ({ final }) => {
        some(final.tasks, ({ events }) => events.length > 3).events.splice(1, 1);
      },
    ],
    [
      "a time that goes back",
      /the time of seq 2 is not after the one before/,
      ({ final }) => {
        const [first, second] = some(final.tasks, ({ events }) => events.length > 2).events;
        if (first && second) second.at = first.at;
      },
    ],
    [
      "a task that ended twice",
      /ended 2 times/,
      ({ final }) => {
        const { events } = some(final.tasks);
        const end = some(events, ({ kind }) => kind === "task_finished");
        events.push({ ...end, seq: events.length + 1 });
      },
    ],
    [
      "a task that never ends",
      /has not ended: it is running/,
      ({ final }) => {
        some(final.tasks).status = "running";
      },
    ],
    [
      "a step that ran again after it was recorded",
      /ran again after it was recorded/,
      ({ ledger }) => {
        const got = some(ledger, ({ kind }) => kind === "got");
        if (got.kind === "got") ledger.push({ ...got, kind: "ran", value: "another" });
      },
    ],
    [
      "a step that was recorded twice",
      /was recorded 2 times/,
      ({ final }) => {
        const isStep = ({ kind }: { kind: string }) => kind === "step_completed";
        const { events } = some(final.tasks, (task) => task.events.some(isStep));
        events.push(some(events, isStep));
      },
    ],
    [
      "an acknowledged step that is lost",
      /was acknowledged and is lost/,
      ({ ledger, final }) => {
        const got = some(ledger, ({ kind }) => kind === "got");
        final.journal = final.journal.filter(({ taskId }) => taskId !== got.taskId);
      },
    ],
    [
      "a step that gave two values",
      /gave two values/,
      ({ ledger }) => {
        const got = some(ledger, ({ kind }) => kind === "got");
        if (got.kind === "got") got.value = "another";
      },
    ],
    [
      "a sleep that was too short",
      /ended before its time/,
      ({ ledger }) => {
        const slept = some(ledger, ({ kind }) => kind === "slept");
        if (slept.kind === "slept") slept.atMillis -= 60_000;
      },
    ],
    [
      "two tasks under one concurrency key",
      /worked under the key .* beside another/,
      ({ ledger }) => {
        const entered = some(ledger, ({ kind }) => kind === "entered");
        ledger.push({ ...entered, taskId: "task_other" } as typeof entered, entered);
      },
    ],
    [
      "an acknowledged answer that is lost",
      /was acknowledged and is lost/,
      ({ answers, final }) => {
        const { questionId } = some(answers, ({ told, said }) => told.won && said.answer !== null);
        const question = some(final.questions, (one) => one.questionId === questionId);
        question.answer = "somebody else's";
      },
    ],
    [
      "a question with two outcomes",
      /its timeline says answered,declined/,
      ({ final }) => {
        const isAnswered = (event: { kind: string; outcome?: string }) =>
          event.kind === "question_resolved" && event.outcome === "answered";
        const { events } = some(final.tasks, (task) => task.events.some(isAnswered));
        const resolved = some(events, isAnswered);
        events.push({ ...resolved, outcome: "declined" } as typeof resolved);
      },
    ],
    [
      "an answerer who was told of another outcome",
      /somebody was told: lost, timed_out/,
      ({ answers }) => {
        const { told } = some(answers, (one) => one.told.outcome !== "timed_out");
        Object.assign(told, { won: false, outcome: "timed_out", answer: null });
      },
    ],
    [
      "a handler that heard another answer",
      /its handler heard otherwise/,
      ({ ledger }) => {
        const heard = some(ledger, (line) => line.kind === "heard" && line.outcome === "answered");
        if (heard.kind === "heard") heard.answer = "another";
      },
    ],
    [
      "a stream that missed an event",
      /missed 1 events/,
      ({ watches }) => {
        some(watches, ({ events }) => events.length > 1).events.splice(1, 1);
      },
    ],
    [
      "a stream that was sent away although it was close",
      /was reset at \d+, 2 behind/,
      ({ watches }) => {
        const { resets, after } = some(watches);
        resets.push({ from: after, to: after + 2 });
      },
    ],
    [
      "a stream that had an event twice",
      /had position \d+ after \d+/,
      ({ watches }) => {
        const { events } = some(watches, (watch) => watch.events.length > 0);
        events.splice(1, 0, some(events));
      },
    ],
    [
      "a stream that had an event which was rolled back",
      /which is not there or another event/,
      ({ final, watches }) => {
        const { events } = some(watches, (watch) => watch.events.length > 0);
        const { position } = some(events);
        for (const task of final.tasks) {
          task.events = task.events.filter((event) => event.position !== position);
        }
      },
    ],
    [
      "polls that repeated an update",
      /polls of .* returned \d+ updates, not the \d+ there are/,
      ({ polls }) => {
        const { updates } = some(polls, (poll) => poll.result !== null && poll.updates.length > 0);
        updates.push(some(updates));
      },
    ],
    [
      "a result that changed",
      /the result of .* is not the one a poll had returned/,
      ({ polls, final }) => {
        const { taskId } = some(polls, ({ result }) => result !== null);
        some(final.tasks, (task) => task.taskId === taskId).result = "another";
      },
    ],
    [
      "a damaged database",
      /the database is damaged: row 3 missing from index/,
      ({ final }) => {
        final.damage.push("row 3 missing from index");
      },
    ],
    [
      "a server that died by itself",
      /the server ended by itself/,
      ({ mishaps }) => {
        mishaps.push("the server ended by itself");
      },
    ],
  ];

  test.each(lies)("%s", (_name, says, change) => {
    expect(violationsWith(change).join("\n")).toMatch(says);
  });

  test("nothing where nothing was changed", () => {
    expect(violationsWith(() => {}).join("\n")).toBe("");
  });
});
