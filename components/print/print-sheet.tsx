"use client";

import { useEffect } from "react";
import { createPortal } from "react-dom";
import { eventText, questionsById } from "@/server/core/event-text.ts";
import type { JsonValue } from "@/server/core/json.ts";
import { clocksOf, type TaskRecord } from "@/server/core/task.ts";
import type { TaskEvent } from "@/server/core/task-event.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { actorText } from "../questions/countdown-text.ts";
import { statusTable } from "../tasks/status-table.ts";
import { serverNow, timestampOf } from "../time/server-clock.ts";
import { durationText, exactText } from "../time/time-text.ts";

export interface PrintedTask {
  task: TaskRecord;
  params: JsonValue;
  result: JsonValue;
  error: string | null;
  questions: readonly QuestionData[];
  /** All of them: nothing of a timeline is left out on paper. */
  events: readonly TaskEvent[];
}

/** A task on paper, whole, in ink on white, without anything to press. Prints once it is there. */
export default function PrintSheet({
  printed,
  onPrinted,
}: {
  printed: PrintedTask;
  onPrinted: () => void;
}) {
  useEffect(() => {
    addEventListener("afterprint", onPrinted);
    const frame = requestAnimationFrame(() => print());
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("afterprint", onPrinted);
    };
  }, [onPrinted]);
  const { task, params, result, error, questions, events } = printed;
  const byId = questionsById(questions);
  const { worked, waited } = clocksOf(task, timestampOf(serverNow()));
  return createPortal(
    <article className="print-sheet">
      <h1>
        {task.type}: {statusTable[task.status].label}
      </h1>
      <p>
        {task.taskId}, started {exactText(task.createdAt)} by {actorText(task.createdBy)}. Working{" "}
        {durationText(worked)}, waiting {durationText(waited)}.
      </p>
      <h2>Parameters</h2>
      <pre>{JSON.stringify(params, null, 2)}</pre>
      <h2>Timeline</h2>
      <table>
        <tbody>
          {events.map((event) => (
            <tr key={event.seq}>
              <td>{exactText(event.at)}</td>
              <td dir="auto">
                {eventText(
                  event,
                  "questionId" in event ? (byId.get(event.questionId) ?? null) : null,
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{error === null ? "Result" : "Error"}</h2>
      <pre>{error ?? JSON.stringify(result, null, 2)}</pre>
    </article>,
    document.body,
  );
}
