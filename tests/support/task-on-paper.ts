import type { Command, CommandResult } from "../../server/core/command.ts";
import type { JournalEntry } from "../../server/core/journal.ts";
import { plainStart } from "../../server/core/plain-start.ts";
import { decide, decideStart, type ExistingTaskCommand } from "../../server/core/state-machine.ts";
import type { TaskPayload, TaskRecord } from "../../server/core/task.ts";
import type { DraftEvent, TaskDraft } from "../../server/core/task-draft.ts";
import type { QuestionData } from "../../server/core/task-question.ts";
import { type EpochMicros, microsPerSecond, parseTimestamp } from "../../server/core/timestamp.ts";

type Input<K extends ExistingTaskCommand> = Omit<Command<K>, "taskId" | "at">;

/**
 * One task as a store would keep it, without a store: each command is decided by the state machine
 * and applied here. `at` is the time of the next command.
 */
export class TaskOnPaper {
  at: EpochMicros = parseTimestamp("2026-11-30T12:00:00Z");
  record: TaskRecord;
  ended: { result: TaskPayload["result"]; error: string | null } | null = null;
  readonly questions = new Map<string, QuestionData>();
  readonly events: DraftEvent[] = [];
  readonly journal: JournalEntry[] = [];

  constructor(start: Partial<Command<"start">> = {}) {
    const { draft, result } = decideStart(
      {
        ...plainStart,
        taskId: "task_onpaper0",
        at: this.at,
        type: "demo",

        ...start,
      },
      null,
    );
    if (!draft) throw new Error("a start without an earlier task always makes one");
    this.record = result.task;
    this.#apply(draft);
  }

  /** Carries out one command, or throws the state machine's refusal and changes nothing. */
  do<K extends ExistingTaskCommand>(input: Input<K>): CommandResult<K> {
    const command = { ...input, taskId: this.record.taskId, at: this.at } as unknown as Command<K>;
    const { draft, result } = decide({ task: this.record, questions: this.questions }, command);
    this.#apply(draft);
    return result;
  }

  /** Moves the time of the next command; negative is a clock set back. */
  wait(seconds: number): this {
    this.at += Math.round(seconds * microsPerSecond);
    return this;
  }

  openQuestions(): QuestionData[] {
    return [...this.questions.values()].filter((question) => question.outcome === null);
  }

  #apply(draft: TaskDraft): void {
    this.record = draft.task;
    this.events.push(...draft.events);
    this.journal.push(...draft.journal);
    if (draft.ended) this.ended = draft.ended;
    for (const question of draft.changedQuestions.values()) {
      this.questions.set(question.questionId, question);
    }
  }
}
