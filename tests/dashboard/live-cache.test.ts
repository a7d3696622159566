import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, test } from "vitest";
import { applyFeed } from "../../components/live/apply-feed.ts";
import { putRelative } from "../../components/live/apply-relatives.ts";
import type { FeedMessage } from "../../components/live/feed-message.ts";
import {
  type ListedQuestion,
  mergeQuestionPages,
  mergeTaskPages,
} from "../../components/live/merge-pages.ts";
import {
  forgetAll,
  newest,
  rememberQuestion,
  rememberTask,
  toldSince,
} from "../../components/live/newest.ts";
import { noFilters } from "../../components/tasks/task-filters.ts";
import type { TaskRecord } from "../../server/core/task.ts";
import { newQuestionData } from "../../server/core/task-question.ts";

function task(id: number, fields: Partial<TaskRecord> = {}): TaskRecord {
  return {
    taskId: `task_${id}`,
    type: "echo",
    status: "running",
    createdAt: `2026-11-30T12:00:${String(id).padStart(2, "0")}.000000Z`,
    lastSeq: 1,
    epoch: 1,
    progress: null,
    leaseExpiresAt: null,
    ...fields,
  } as TaskRecord;
}

function question(id: string, fields: Partial<ListedQuestion> = {}): ListedQuestion {
  const data = newQuestionData({ questionId: id, taskId: "task_1", prompt: "?" });
  return { ...data, taskType: "echo", taskStatus: "waiting_for_input", ...fields };
}

const byId = <T extends { taskId: string }>(...items: T[]) =>
  new Map(items.map((item) => [item.taskId, item]));
const all = noFilters;

beforeEach(forgetAll);

describe("mergeTaskPages", () => {
  const pages = [
    { items: [task(9), task(8)], nextCursor: "c" },
    { items: [task(5)], nextCursor: "d" },
  ];

  test("a changed task is replaced in place, and the others stay the same objects", () => {
    const changed = task(8, { lastSeq: 4, status: "completed" });
    const merged = mergeTaskPages(pages, all, byId(changed));
    expect(merged[0]?.items).toEqual([task(9), changed]);
    expect(merged[0]?.items[0]).toBe(pages[0]?.items[0]);
    expect(merged[1]).toBe(pages[1]);
  });

  test("a task that no longer fits the filters leaves, a new one that fits comes at its place", () => {
    const filters = { ...all, statuses: ["running" as const] };
    const done = task(9, { lastSeq: 2, status: "completed" });
    const merged = mergeTaskPages(pages, filters, byId(done, task(10), task(7)));
    expect(merged.map(({ items }) => items.map(({ taskId }) => taskId))).toEqual([
      ["task_10", "task_8"],
      ["task_7", "task_5"],
    ]);
  });

  test("what only the server can say neither comes nor goes by itself", () => {
    const searched = { ...all, text: "northwind" };
    const changed = task(8, { lastSeq: 4 });
    const merged = mergeTaskPages(pages, searched, byId(changed, task(10)));
    expect(merged[0]?.items).toEqual([task(9), changed]);
    const mine = { ...all, waitsForMe: true };
    const answered = task(9, { lastSeq: 2, openQuestions: 0 });
    expect(mergeTaskPages(pages, mine, byId(answered))[0]?.items).toEqual([task(8)]);
  });

  test("a list in another order gets no new rows at the head", () => {
    expect(mergeTaskPages(pages, { ...all, order: "oldest" }, byId(task(10)))).toBe(pages);
  });

  test("a task older than everything loaded waits for its own page", () => {
    expect(mergeTaskPages(pages, all, byId(task(1)))).toBe(pages);
  });

  test("what is older than what is shown changes nothing", () => {
    const newer = [{ items: [task(9, { lastSeq: 7 })], nextCursor: null }];
    expect(mergeTaskPages(newer, all, byId(task(9, { lastSeq: 6 })))).toBe(newer);
  });
});

test("a resolved question stays on its page with its outcome; one never shown does not come", () => {
  const pages = [{ items: [question("q_1")], nextCursor: null }];
  const resolved = question("q_1", { outcome: "declined" });
  const unknown = question("q_2", { outcome: "answered" });
  const opened = question("q_3");
  const changed = new Map([resolved, unknown, opened].map((each) => [each.questionId, each]));
  const [page] = mergeQuestionPages(pages, changed);
  expect(page?.items.map(({ questionId, outcome }) => [questionId, outcome])).toEqual([
    ["q_1", "declined"],
    ["q_3", null],
  ]);
});

test("a response older than what the feed said does not undo it", () => {
  rememberTask(task(1, { lastSeq: 9, status: "completed" }), Date.now());
  expect(newest.task(task(1, { lastSeq: 8 })).status).toBe("completed");
  expect(newest.task(task(1, { lastSeq: 10, status: "failed" })).status).toBe("failed");
});

test("of two states of a question the one its later event made is shown, whatever it says", () => {
  const ann = { kind: "operator", id: "ann", name: "Ann", surface: "dashboard" } as const;
  const claimed = { claimedBy: ann, claimedUntil: "2026-11-30T12:10:00.000000Z" };
  // Opened, claimed, let go of, answered.
  const states = [{}, claimed, {}, { outcome: "answered" as const }].map((fields, i) =>
    question("q_1", { ...fields, lastSeq: i + 1 }),
  );
  for (const [i, shown] of states.entries()) {
    for (const [j, told] of states.entries()) {
      const [page] = mergeQuestionPages(
        [{ items: [shown], nextCursor: null }],
        new Map([["q_1", told]]),
      );
      expect(page?.items[0]?.lastSeq).toBe(Math.max(i, j) + 1);
    }
  }
});

test("a list that was read before an event and arrives after it gets what the event told", () => {
  const now = Date.now();
  rememberTask(task(1), now - 1000);
  rememberTask(task(2), now);
  rememberQuestion(question("q_1"), now);
  const told = toldSince(now);
  expect([...told.tasks.keys()]).toEqual(["task_2"]);
  const [page] = mergeQuestionPages([{ items: [], nextCursor: null }], told.questions);
  expect(page?.items.map(({ questionId }) => questionId)).toEqual(["q_1"]);
});

describe("applyFeed", () => {
  const message = (of: TaskRecord, seq: number, kind = "update"): FeedMessage =>
    ({
      kind: "event",
      position: seq,
      event: {
        kind,
        seq,
        taskId: of.taskId,
        at: of.createdAt,
        level: "info",
        message: "",
        updateId: "u",
      },
      task: { ...of, lastSeq: seq },
      question: null,
    }) as FeedMessage;

  test("a burst is one change of the timeline, and an update moves no counts", () => {
    const client = new QueryClient();
    client.setQueryData(["events", "task_1"], { events: [], earlier: 0 });
    let changes = 0;
    client.getQueryCache().subscribe((event) => {
      if (event.type === "updated") changes += 1;
    });
    let counts = 0;
    const burst = Array.from({ length: 50 }, (_, i) => message(task(1), i + 1));
    applyFeed(client, burst, () => {
      counts += 1;
    });
    expect(changes).toBe(1);
    expect(counts).toBe(0);
    const { events } = client.getQueryData<{ events: unknown[] }>(["events", "task_1"]) ?? {
      events: [],
    };
    expect(events).toHaveLength(50);
    applyFeed(client, [message(task(1), 51, "task_finished")], () => {
      counts += 1;
    });
    expect(counts).toBe(1);
  });

  test("a reset has everything fetched anew, and forgets what was said before it", () => {
    const client = new QueryClient();
    client.setQueryData(["tasks", all], {
      pages: [{ items: [], nextCursor: null }],
      pageParams: [null as string | null],
    });
    applyFeed(client, [message(task(1), 5), { kind: "reset", position: 9 }], () => {});
    expect(client.getQueryState(["tasks", all])?.isInvalidated).toBe(true);
    expect(newest.task(task(1, { lastSeq: 2 })).lastSeq).toBe(2);
  });
});

describe("putRelative", () => {
  const relatives = (nextCursor: string | null) => ({
    pages: [{ items: [task(1), task(2)], nextCursor }],
    pageParams: [null as string | null],
  });
  const idsOf = (data: ReturnType<typeof relatives>) =>
    data.pages.flatMap(({ items }) => items.map(({ taskId }) => taskId));

  test("a changed child is replaced in place, an older state of it is not", () => {
    const changed = task(1, { lastSeq: 7, status: "completed" });
    const put = putRelative(relatives(null), changed);
    expect(put.pages[0]?.items).toEqual([changed, task(2)]);
    expect(putRelative(put, task(1)).pages[0]?.items[0]).toBe(changed);
  });

  test("a new child comes last, once the last page is there", () => {
    expect(idsOf(putRelative(relatives(null), task(3)))).toEqual(["task_1", "task_2", "task_3"]);
    expect(idsOf(putRelative(relatives("more"), task(3)))).toEqual(["task_1", "task_2"]);
  });
});
