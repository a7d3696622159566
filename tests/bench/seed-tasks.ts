import Database from "better-sqlite3";
import { rollupEntryOf } from "../../server/core/rollup.ts";
import type { EpochMicros } from "../../server/core/timestamp.ts";
import { toEventRow } from "../../server/stores/event-row.ts";
import { toQuestionRow } from "../../server/stores/question-row.ts";
import { RollupSums } from "../../server/stores/rollup-sums.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import {
  answerRollupColumns,
  type Columns,
  eventColumns,
  labelColumns,
  payloadColumns,
  questionColumns,
  taskColumns,
  taskRollupColumns,
  valuesOf,
} from "../../server/stores/table-columns.ts";
import { toLabelRows, toPayloadRow, toTaskRow } from "../../server/stores/task-row.ts";
import { seedHistory } from "./seed-history.ts";
import { numbersFrom } from "./seed-numbers.ts";

const batch = 2000;
const spreadMicros = 365 * 86_400 * 1e6;

/**
 * Makes a database with as many tasks as asked for, over the year before `until`, with about ten
 * events each: what an installation has after a busy year, the same each time. Each task's history
 * is decided by the state machine; it is written straight into the tables, because a million starts
 * would take hours.
 *
 * @param onBatch is told how many there are so far.
 */
export async function seedTasks(
  file: string,
  count: number,
  { until, onBatch }: { until: EpochMicros; onBatch?(done: number): void },
): Promise<void> {
  // The store makes the tables, so that they are those of this version.
  await (await SQLiteStore.open(file)).close();
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = OFF");
  database.pragma("cache_size = -262144");
  const insert = {
    task: inserter(database, "tasks", taskColumns),
    payload: inserter(database, "task_payloads", payloadColumns),
    label: inserter(database, "task_labels", labelColumns),
    question: inserter(database, "questions", questionColumns),
    event: inserter(database, "events", eventColumns),
  };
  const random = numbersFrom(4711);
  const sums = new RollupSums();
  let position = 0;
  for (let from = 0; from < count; from += batch) {
    const end = Math.min(from + batch, count);
    database.exec("BEGIN");
    for (let i = from; i < end; i += 1) {
      const at = Math.floor(until - spreadMicros * (1 - (i + random.part()) / count));
      const history = seedHistory(random, { at, age: count - i });
      const { task, payload, events, questions } = history;
      insert.task(toTaskRow(task));
      insert.payload(toPayloadRow(task.taskId, payload));
      for (const label of toLabelRows(task)) insert.label(label);
      for (const question of questions) insert.question(toQuestionRow(question));
      for (const draft of events) {
        position += 1;
        const event = { ...draft, position };
        insert.event(toEventRow(event));
        const about = questions.find(
          (each) => "questionId" in event && each.questionId === event.questionId,
        );
        const entry = rollupEntryOf(event, task, about ?? null);
        if (entry) sums.add(entry);
      }
    }
    database.exec("COMMIT");
    sums.prune();
    onBatch?.(end);
  }
  insertSums(database, sums);
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}

function insertSums(database: Database.Database, sums: RollupSums): void {
  const counts = inserter(database, "task_rollups", taskRollupColumns);
  const answers = inserter(database, "answer_rollups", answerRollupColumns);
  database.exec("BEGIN");
  for (const { width, slot, type, counts: each, times } of sums.cells) {
    counts({ width, slot, type, ...each });
    for (const [timeClass, count] of times) answers({ width, slot, type, timeClass, count });
  }
  database.exec("COMMIT");
}

function inserter<Row extends object>(
  database: Database.Database,
  table: string,
  columns: Columns<Row>,
): (row: Row) => void {
  const names = Object.values<string>(columns);
  const statement = database.prepare(
    `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(", ")}) ` +
      `VALUES (${names.map(() => "?").join(", ")})`,
  );
  return (row) => {
    const values = valuesOf(columns, row);
    statement.run(values.map((value) => (typeof value === "boolean" ? Number(value) : value)));
  };
}
