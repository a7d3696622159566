import { describe, expect, test } from "vitest";
import { threadOf } from "../../components/timeline/thread.ts";
import { type PastRow, presentRow, rowOf } from "../../components/timeline/timeline-rows.ts";
import type { Actor } from "../../server/core/actor.ts";
import { driverWorkerId } from "../../server/core/driver.ts";
import { eventText } from "../../server/core/event-text.ts";
import type { TaskRecord } from "../../server/core/task.ts";
import type { TaskEvent, TaskEventBody } from "../../server/core/task-event.ts";
import { newQuestionData, type QuestionData } from "../../server/core/task-question.ts";
import { addSeconds } from "../../server/core/timestamp.ts";

const start = "2026-11-30T12:00:00.000000Z";
const operator: Actor = { kind: "operator", id: "o", name: "Ada", surface: "dashboard" };

function at(seconds: number): string {
  return addSeconds(start, seconds);
}

/** Events of one task, one second apart, numbered from `firstSeq`. */
function events(bodies: TaskEventBody[], firstSeq = 1): TaskEvent[] {
  return bodies.map((body, i) => ({
    ...body,
    position: 100 + i,
    taskId: "task_1",
    seq: firstSeq + i,
    at: at(firstSeq - 1 + i),
  }));
}

const asked: TaskEventBody = {
  kind: "question_opened",
  questionId: "q_1",
  prompt: "Proceed?",
  deadline: at(300),
};
const answered: TaskEventBody = {
  kind: "question_resolved",
  questionId: "q_1",
  outcome: "answered",
  actor: operator,
  defaultUsed: false,
};
const begun: TaskEventBody[] = [
  { kind: "task_created", actor: operator },
  { kind: "attempt_started", attempt: 1, workerId: "w_1", reason: "start" },
];
const question = newQuestionData({
  questionId: "q_1",
  taskId: "task_1",
  prompt: "Proceed? (the whole of it)",
  askedAt: at(2),
});

function rowsOf(events: TaskEvent[], questions: QuestionData[]): PastRow[] {
  const { rails } = threadOf(events, questions);
  return events.map((event, i) => {
    const id = "questionId" in event ? event.questionId : null;
    const about = questions.find(({ questionId }) => questionId === id);
    return rowOf(event, about ?? null, rails[i] ?? "none");
  });
}

describe("rows", () => {
  test("an approval that needs more people is a row, and the thread stays dashed", () => {
    const given = {
      questionId: "q_1",
      actor: operator,
      given: 1,
      needed: 2,
      edited: true,
      dropped: 1,
    };
    const rows = rowsOf(events([...begun, asked, { kind: "approval_given", ...given }]), []);
    expect(rows.at(-1)).toMatchObject({ kind: "approved", rail: "waiting", ...given });
  });

  test("the thread is idle before a worker, whole while it works, dashed while it waits", () => {
    const rows = rowsOf(
      events([
        ...begun,
        asked,
        answered,
        { kind: "task_finished", status: "completed", error: null, forced: false },
      ]),
      [question],
    );
    expect(rows.map(({ kind, rail }) => [kind, rail])).toEqual([
      ["created", "idle"],
      ["attempt_started", "working"],
      ["asked", "waiting"],
      ["resolved", "working"],
      ["ended", "none"],
    ]);
  });

  test("who runs it is told: a worker, or a program outside", () => {
    const started = { kind: "attempt_started", attempt: 1, reason: "start" } as const;
    const [worker, driver] = events([
      { ...started, workerId: "w_1" },
      { ...started, workerId: driverWorkerId("ci-1") },
    ]);
    const rows = rowsOf([worker, driver] as TaskEvent[], []);
    expect(rows).toMatchObject([{ isDriven: false }, { isDriven: true }]);
    expect(eventText(worker as TaskEvent)).toBe("A worker took it");
    expect(eventText(driver as TaskEvent)).toBe("A program outside drives it");
  });

  test("it waits until the last of several open questions is resolved", () => {
    const second = { ...asked, questionId: "q_2" };
    const rows = rowsOf(events([...begun, asked, second, answered]), []);
    expect(rows.at(-1)?.rail).toBe("waiting");
  });

  test("an answer says by whom and after how long; the prompt is the question's own, not the event's", () => {
    const rows = rowsOf(events([...begun, asked, answered]), [question]);
    expect(rows[2]).toMatchObject({
      kind: "asked",
      prompt: "Proceed? (the whole of it)",
      question,
    });
    expect(rows[3]).toMatchObject({ kind: "resolved", actor: operator, afterSeconds: 1 });
  });

  test("without the question the event has to do", () => {
    const rows = rowsOf(events([asked, answered]), []);
    expect(rows[0]).toMatchObject({ prompt: "Proceed?", question: null });
    expect(rows[1]).toMatchObject({ afterSeconds: null });
  });

  test("seeing a question goes on with the thread, and an interruption idles it", () => {
    const rows = rowsOf(
      events([
        ...begun,
        { kind: "question_seen", questionId: "q_1", actor: operator },
        { kind: "attempt_interrupted", attempt: 1, reason: "its worker vanished" },
        { kind: "attempt_started", attempt: 2, workerId: "w_2", reason: "resume" },
      ]),
      [],
    );
    expect(rows.map(({ kind, rail }) => [kind, rail])).toEqual([
      ["created", "idle"],
      ["attempt_started", "working"],
      ["seen", "working"],
      ["attempt_ended", "idle"],
      ["attempt_started", "working"],
    ]);
  });

  test("a step's time is from its start to its event", () => {
    const [row] = rowsOf(
      events([{ kind: "step_completed", name: "fetch", key: "#1", startedAt: at(1) }], 5),
      [],
    );
    expect(row).toMatchObject({ kind: "step", seconds: 3, error: null });
  });

  test("a timeline that begins in the middle knows of the question that was open then", () => {
    const rows = rowsOf(
      events([{ kind: "update", updateId: "u", level: "info", message: "still here" }], 50),
      [question],
    );
    expect(rows[0]?.rail).toBe("waiting");
  });

  test("a thread that goes on is the same as one made at once, however it is cut", () => {
    const all = events([
      ...begun,
      asked,
      { kind: "step_completed", name: "fetch", key: "#1", startedAt: at(1) },
      answered,
      { kind: "attempt_released", attempt: 1 },
      { kind: "task_finished", status: "failed", error: null, forced: false },
    ]);
    const whole = threadOf(all, [question]);
    expect(whole.longestStep).toBe(2);
    for (let cut = 0; cut <= all.length; cut += 1) {
      const before = threadOf(all.slice(0, cut), [question]);
      const known = [...before.rails];
      // Twice, as React does in development: what was known must not have changed.
      threadOf(all, [question], before);
      const after = threadOf(all, [question], before);
      expect(after.rails).toEqual(whole.rails);
      expect(after.longestStep).toBe(2);
      expect(before.rails.slice(0, cut)).toEqual(known);
    }
  });

  test("events that were read anew make the thread anew", () => {
    const all = events([...begun, asked, answered]);
    const before = threadOf(all, []);
    const later = events([asked, answered], 50);
    expect(threadOf(later, [], before).rails).toEqual(["waiting", "working"]);
  });
});

describe("the present", () => {
  const task = {
    status: "running",
    clockSince: at(10),
    lastEventAt: at(10),
    leaseExpiresAt: at(60),
    wakeAt: null,
  } as TaskRecord;

  test("is the last row of a task that has not ended", () => {
    expect(presentRow(task, at(40))).toMatchObject({
      kind: "now",
      activity: "running",
      seconds: 30,
    });
  });

  test("depends on the lease, not on the status alone", () => {
    expect(presentRow(task, at(90))).toMatchObject({ activity: "resuming" });
  });

  test("is none for a task that has ended", () => {
    expect(presentRow({ ...task, status: "failed" }, at(40))).toBeNull();
  });
});
