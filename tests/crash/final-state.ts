import Database from "better-sqlite3";
import type { JsonValue } from "../../server/core/json.ts";
import type { TaskEvent } from "../../server/core/task-event.ts";

export interface FinalTask {
  taskId: string;
  type: string;
  status: string;
  params: JsonValue;
  result: JsonValue;
  error: string | null;
  idempotencyKey: string | null;
  openQuestions: number;
  cancelRequestedAt: string | null;
  events: TaskEvent[];
}

export interface FinalQuestion {
  questionId: string;
  taskId: string;
  key: string;
  outcome: string | null;
  answer: JsonValue;
}

export interface FinalStep {
  taskId: string;
  kind: string;
  key: string;
  status: string;
  value: JsonValue;
}

/** What is in the database when nothing runs any more. */
export interface FinalState {
  tasks: FinalTask[];
  questions: FinalQuestion[];
  journal: FinalStep[];
  /** What SQLite finds wrong with the file; empty when it is whole. */
  damage: string[];
}

interface Row {
  [column: string]: string | number | null;
}

/** Reads the tables with SQL of its own: the product's code might share a mistake with its writes. */
export function readFinalState(file: string): FinalState {
  const database = new Database(file, { readonly: true });
  try {
    const rows = (sql: string) => database.prepare(sql).all() as Row[];
    const eventsOf = new Map<string, TaskEvent[]>();
    for (const row of rows("SELECT * FROM events ORDER BY task_id, seq")) {
      const taskId = String(row.task_id);
      const { position, seq, kind, at } = row;
      const event = { position, taskId, seq, at, kind, ...json(row.data) };
      const ofTask = eventsOf.get(taskId) ?? [];
      eventsOf.set(taskId, ofTask);
      ofTask.push(event as TaskEvent);
    }
    return {
      tasks: rows("SELECT * FROM tasks JOIN task_payloads ON task_id = id").map((row) => ({
        taskId: String(row.id),
        type: String(row.type),
        status: String(row.status),
        params: json(row.params),
        result: json(row.result),
        error: text(row.error),
        idempotencyKey: text(row.idempotency_key),
        openQuestions: Number(row.open_questions),
        cancelRequestedAt: text(row.cancel_requested_at),
        events: eventsOf.get(String(row.id)) ?? [],
      })),
      questions: rows("SELECT * FROM questions").map((row) => ({
        questionId: String(row.id),
        taskId: String(row.task_id),
        key: String(row.key),
        outcome: text(row.outcome),
        answer: json(row.answer),
      })),
      journal: rows("SELECT * FROM journal").map((row) => ({
        taskId: String(row.task_id),
        kind: String(row.kind),
        key: String(row.key),
        status: String(row.status),
        value: json(row.value),
      })),
      damage: [
        ...rows("PRAGMA integrity_check").map((row) => String(row.integrity_check)),
        ...rows("PRAGMA foreign_key_check").map((row) => `a row of ${row.table} without its task`),
      ].filter((line) => line !== "ok"),
    };
  } finally {
    database.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON a column holds
function json(value: Row[string] | undefined): any {
  return value === null || value === undefined ? null : JSON.parse(String(value));
}

function text(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
