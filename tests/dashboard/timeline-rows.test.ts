import { describe, expect, test } from "vitest";
import { pastRows, presentRow, timelineRows } from "../../components/timeline/timeline-rows.ts";
import type { Actor } from "../../server/core/actor.ts";
import type { TaskRecord } from "../../server/core/task.ts";
import type { TaskEvent, TaskEventBody } from "../../server/core/task-event.ts";
import { newQuestionData } from "../../server/core/task-question.ts";
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

describe("pastRows", () => {
  test("an approval that needs more people is a row, and the thread stays dashed", () => {
    const given = {
      questionId: "q_1",
      actor: operator,
      given: 1,
      needed: 2,
      edited: true,
      dropped: 1,
    };
    const rows = pastRows(events([...begun, asked, { kind: "approval_given", ...given }]), []);
    expect(rows.at(-1)).toMatchObject({ kind: "approved", rail: "waiting", ...given });
  });

  test("the thread is idle before a worker, whole while it works, dashed while it waits", () => {
    const rows = pastRows(
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

  test("it waits until the last of several open questions is resolved", () => {
    const second = { ...asked, questionId: "q_2" };
    const rows = pastRows(events([...begun, asked, second, answered]), []);
    expect(rows.at(-1)?.rail).toBe("waiting");
  });

  test("an answer says by whom and after how long; the prompt is the question's own, not the event's", () => {
    const rows = pastRows(events([...begun, asked, answered]), [question]);
    expect(rows[2]).toMatchObject({
      kind: "asked",
      prompt: "Proceed? (the whole of it)",
      question,
    });
    expect(rows[3]).toMatchObject({ kind: "resolved", actor: operator, afterSeconds: 1 });
  });

  test("without the question the event has to do", () => {
    const rows = pastRows(events([asked, answered]), []);
    expect(rows[0]).toMatchObject({ prompt: "Proceed?", question: null });
    expect(rows[1]).toMatchObject({ afterSeconds: null });
  });

  test("seeing a question makes no row, and an interruption idles the thread", () => {
    const rows = pastRows(
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
      ["attempt_ended", "idle"],
      ["attempt_started", "working"],
    ]);
  });

  test("a step's time is from its start to its event", () => {
    const [row] = pastRows(
      events([{ kind: "step_completed", name: "fetch", key: "#1", startedAt: at(1) }], 5),
      [],
    );
    expect(row).toMatchObject({ kind: "step", seconds: 3, error: null });
  });

  test("a timeline that begins in the middle knows of the question that was open then", () => {
    const rows = pastRows(
      events([{ kind: "update", updateId: "u", level: "info", message: "still here" }], 50),
      [question],
    );
    expect(rows[0]?.rail).toBe("waiting");
  });

  test("keys are the same at every call, so that rows are not made anew", () => {
    const all = events([...begun, asked]);
    const before = pastRows(all.slice(0, 2), []).map(({ key }) => key);
    expect(
      pastRows(all, [])
        .map(({ key }) => key)
        .slice(0, 2),
    ).toEqual(before);
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
    const rows = timelineRows(task, events(begun), [], at(40));
    expect(rows.at(-1)).toMatchObject({ kind: "now", activity: "running", seconds: 30 });
  });

  test("depends on the lease, not on the status alone", () => {
    expect(presentRow(task, at(90))).toMatchObject({ activity: "resuming" });
  });

  test("is none for a task that has ended", () => {
    expect(presentRow({ ...task, status: "failed" }, at(40))).toBeNull();
  });
});
