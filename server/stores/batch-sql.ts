import type { Command } from "../core/command.ts";
import type { TaskRecord } from "../core/task.ts";
import type { QuestionData } from "../core/task-question.ts";
import { toAuditRow } from "./audit-row.ts";
import { insertRows, rowChunks, selectByList, updateRows } from "./bulk-sql.ts";
import { toColumnText, toColumnValue } from "./column-text.ts";
import { type CommandBatch, namedBy, type WorkingTask } from "./command-batch.ts";
import { toEventRow } from "./event-row.ts";
import type { Question, Task } from "./generated/client.ts";
import type { HotTasks } from "./hot-tasks.ts";
import { toJournalRow } from "./journal-row.ts";
import { fromQuestionRow, toQuestionRow } from "./question-row.ts";
import { writeRollups } from "./rollup-rows.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { toJsonText } from "./stored-json.ts";
import {
  auditColumns,
  eventColumns,
  journalColumns,
  labelColumns,
  payloadColumns,
  questionColumns,
  sealedColumns,
  taskColumns,
  valuesOf,
} from "./table-columns.ts";
import { fromTaskRow, toLabelRows, toPayloadRow, toTaskRow } from "./task-row.ts";
import { narrowestUpdate, taskUpdates } from "./task-updates.ts";

const sql = {
  tasksById: selectByList("tasks", taskColumns, "t.id = j.value"),
  tasksByScope: selectByList(
    "tasks",
    taskColumns,
    "t.created_by_kind = j.value ->> 0 AND t.created_by_id = j.value ->> 1 " +
      "AND t.type = j.value ->> 2 AND t.idempotency_key = j.value ->> 3",
  ),
  openQuestions: selectByList(
    "questions",
    questionColumns,
    "t.task_id = j.value AND t.outcome IS NULL",
  ),
  questionsById: selectByList("questions", questionColumns, "t.id = j.value"),
  insertTasks: insertRows("tasks", taskColumns),
  insertPayloads: insertRows("task_payloads", payloadColumns),
  updatePayloads: updateRows("task_payloads", "task_id", ["result", "error"]),
  insertLabels: insertRows("task_labels", labelColumns),
  insertEvents: insertRows("events", eventColumns),
  putQuestions: insertRows("questions", questionColumns, ["id"]),
  putJournal: insertRows("journal", journalColumns, ["task_id", "kind", "name", "key"]),
  putSealed: insertRows("sealed_values", sealedColumns, ["task_id", "place"]),
  insertAudit: insertRows("audit", auditColumns),
  forgetSteps:
    "DELETE FROM journal WHERE status = 'failed' AND task_id IN (SELECT value FROM json_each(?))",
  forgetQuestions:
    "UPDATE questions SET forgotten = true WHERE outcome IS NOT NULL AND outcome <> 'answered' " +
    "AND task_id IN (SELECT value FROM json_each(?))",
};

/**
 * Gives the batch what its commands need, from memory where it is there. Runs inside the
 * transaction, so that what it loads stays true until the commit.
 */
export async function loadBatch(
  connection: SqliteConnection,
  batch: CommandBatch,
  commands: readonly Command[],
  hotTasks: HotTasks,
): Promise<void> {
  const named = namedBy(commands);
  const cold: string[] = [];
  for (const taskId of named.taskIds) {
    const known = hotTasks.get(taskId);
    if (known) batch.addTask(taskId, known.record, known.questions);
    else cold.push(taskId);
  }
  if (cold.length > 0) await loadTasks(connection, batch, cold);

  if (commands.some(({ kind }) => canEndTask.has(kind))) {
    await loadParents(connection, batch, hotTasks);
  }

  const wanted = named.askedIds;
  for (const [questionId, taskId] of named.questionIds) {
    if (!batch.tasks.get(taskId)?.questions.has(questionId)) wanted.push(questionId);
  }
  for (const question of await questionsByKeys(connection, sql.questionsById, wanted)) {
    batch.addQuestion(question);
  }
  if (named.starts.length > 0) {
    const scopes = named.starts.map(({ actor, type, idempotencyKey }) =>
      [actor.kind, actor.id, type, idempotencyKey].map(toColumnValue),
    );
    for (const row of await connection.rows<Task>(sql.tasksByScope, JSON.stringify(scopes))) {
      batch.addScope(fromTaskRow(row));
    }
  }
}

// A task that ends wakes its parent in the same transaction.
const canEndTask = new Set<Command["kind"]>(["finish", "request_cancel", "expire", "set_status"]);

async function loadParents(
  connection: SqliteConnection,
  batch: CommandBatch,
  hotTasks: HotTasks,
): Promise<void> {
  const cold = new Set<string>();
  for (const { task } of [...batch.tasks.values()]) {
    const parentId = task?.parentTaskId ?? null;
    if (parentId === null || batch.tasks.has(parentId)) continue;
    const known = hotTasks.get(parentId);
    if (known) batch.addTask(parentId, known.record, known.questions);
    else cold.add(parentId);
  }
  if (cold.size > 0) await loadTasks(connection, batch, [...cold]);
}

async function loadTasks(
  connection: SqliteConnection,
  batch: CommandBatch,
  taskIds: string[],
): Promise<void> {
  const ids = JSON.stringify(taskIds.map(toColumnText));
  const tasks = (await connection.rows<Task>(sql.tasksById, ids)).map(fromTaskRow);
  const asking = tasks.filter((task) => task.openQuestions > 0).map((task) => task.taskId);
  const questions = new Map<string, Map<string, QuestionData>>();
  for (const question of await questionsByKeys(connection, sql.openQuestions, asking)) {
    const ofTask = questions.get(question.taskId) ?? new Map();
    questions.set(question.taskId, ofTask.set(question.questionId, question));
  }
  for (const task of tasks) {
    batch.addTask(task.taskId, task, questions.get(task.taskId) ?? new Map());
  }
  // What was not found does not exist; addTask leaves those that were.
  for (const taskId of taskIds) batch.addTask(taskId, null, new Map());
}

async function questionsByKeys(
  connection: SqliteConnection,
  query: string,
  keys: string[],
): Promise<QuestionData[]> {
  if (keys.length === 0) return [];
  const rows = await connection.rows<Question>(query, JSON.stringify(keys.map(toColumnText)));
  return rows.map(fromQuestionRow).sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
}

/** Writes what the batch decided, in few statements, and tells how much it wrote for each task. */
export async function writeBatch(
  connection: SqliteConnection,
  batch: CommandBatch,
): Promise<Map<string, { chars: number; payloadChars: number }>> {
  const sizes = new Map<string, { chars: number; payloadChars: number }>();
  const changed = [...batch.tasks.values()].filter((working) => working.task !== working.before);
  const rows = new BatchRows();
  for (const working of changed) sizes.set(working.taskId, rows.add(working));
  for (const event of batch.events) {
    const row = toEventRow(event);
    const size = sizes.get(event.taskId);
    if (size) size.chars += row.data.length;
    rows.events.push(valuesOf(eventColumns, row));
  }
  rows.audit = batch.audit.map((record) => valuesOf(auditColumns, toAuditRow(record)));
  await rows.write(connection);
  await writeRollups(connection, batch);
  return sizes;
}

class BatchRows {
  readonly events: unknown[][] = [];
  audit: unknown[][] = [];
  readonly #newTasks: unknown[][] = [];
  readonly #updates: unknown[][][] = taskUpdates.map(() => []);
  readonly #newPayloads: unknown[][] = [];
  readonly #payloadUpdates: unknown[][] = [];
  readonly #labels: unknown[][] = [];
  readonly #forgetting: string[] = [];
  readonly #questions: unknown[][] = [];
  readonly #journal: unknown[][] = [];
  readonly #sealed: unknown[][] = [];

  add(working: WorkingTask): { chars: number; payloadChars: number } {
    const task = working.task as TaskRecord;
    const payloadChars = this.#addTask(task, working);
    let chars = 0;
    for (const question of working.changedQuestions.values()) {
      const row = valuesOf(questionColumns, toQuestionRow(question));
      for (const value of row) if (typeof value === "string") chars += value.length;
      this.#questions.push(row);
    }
    for (const entry of working.journal.values()) {
      this.#journal.push(valuesOf(journalColumns, toJournalRow(entry)));
    }
    for (const [place, sealed] of working.sealed) {
      this.#sealed.push(valuesOf(sealedColumns, { taskId: task.taskId, place, ...sealed }));
    }
    if (working.forgets) this.#forgetting.push(toColumnText(task.taskId));
    return { chars, payloadChars };
  }

  #addTask(task: TaskRecord, { before, created, payload }: WorkingTask): number {
    if (created) {
      this.#newTasks.push(valuesOf(taskColumns, toTaskRow(task)));
      for (const label of toLabelRows(task)) this.#labels.push(valuesOf(labelColumns, label));
      const whole = { params: null, result: null, error: null, ...payload };
      const payloadRow = toPayloadRow(task.taskId, whole);
      this.#newPayloads.push(valuesOf(payloadColumns, payloadRow));
      const { params, result, error } = payloadRow;
      return params.length + (result?.length ?? 0) + (error?.length ?? 0);
    }
    if (before) {
      const update = narrowestUpdate(task, before);
      this.#updates[update]?.push(taskUpdates[update]?.valuesOf(task) ?? []);
    }
    if (!payload) return 0;
    const result = toJsonText(payload.result);
    this.#payloadUpdates.push([task.taskId, result, payload.error ?? null]);
    return (result?.length ?? 0) + (payload.error?.length ?? 0);
  }

  /** Tasks come first, because everything else refers to them. */
  async write(connection: SqliteConnection): Promise<void> {
    const put = async (statement: string, rows: unknown[][]) => {
      for (const chunk of rowChunks(rows)) await connection.run(statement, chunk);
    };
    await put(sql.insertTasks, this.#newTasks);
    for (const [i, rows] of this.#updates.entries()) await put(taskUpdates[i]?.sql ?? "", rows);
    await put(sql.insertPayloads, this.#newPayloads);
    await put(sql.updatePayloads, this.#payloadUpdates);
    await put(sql.insertLabels, this.#labels);
    if (this.#forgetting.length > 0) {
      const ids = JSON.stringify(this.#forgetting);
      await connection.run(sql.forgetSteps, ids);
      await connection.run(sql.forgetQuestions, ids);
    }
    await put(sql.putQuestions, this.#questions);
    await put(sql.putJournal, this.#journal);
    await put(sql.putSealed, this.#sealed);
    await put(sql.insertEvents, this.events);
    await put(sql.insertAudit, this.audit);
  }
}
