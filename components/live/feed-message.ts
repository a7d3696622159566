import type { TaskRecord } from "@/server/core/task.ts";
import type { TaskEvent } from "@/server/core/task-event.ts";
import type { QuestionData } from "@/server/core/task-question.ts";

/** What the live feed says, one thing at a time. */
export type FeedMessage =
  | {
      kind: "event";
      position: number;
      event: TaskEvent;
      task: TaskRecord;
      question: QuestionData | null;
    }
  /** A task's state that no event tells: its progress, its lease. */
  | { kind: "task"; task: TaskRecord }
  /** Too much was missed: fetch everything anew, and go on from here. */
  | { kind: "reset"; position: number };
