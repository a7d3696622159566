import { firstKeptSlot, rollupEntryOf, rollupWidths } from "../core/rollup.ts";
import { addRows, rowChunks } from "./bulk-sql.ts";
import type { CommandBatch } from "./command-batch.ts";
import type { AnswerRollup, TaskRollup } from "./generated/client.ts";
import { RollupSums } from "./rollup-sums.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { answerRollupColumns, taskRollupColumns, valuesOf } from "./table-columns.ts";

const sql = {
  addCounts: addRows("task_rollups", taskRollupColumns, ["width", "slot", "type"]),
  addTimes: addRows("answer_rollups", answerRollupColumns, ["width", "slot", "type", "time_class"]),
};

/** Adds what happened in a batch to the counts, in the batch's own transaction. */
export async function writeRollups(
  connection: SqliteConnection,
  batch: CommandBatch,
): Promise<void> {
  const sums = new RollupSums();
  for (const event of batch.events) {
    const working = batch.tasks.get(event.taskId);
    if (!working?.task) continue;
    const question = "questionId" in event ? working.questions.get(event.questionId) : undefined;
    const entry = rollupEntryOf(event, working.task, question ?? null);
    if (entry) sums.add(entry);
  }
  const counts: unknown[][] = [];
  const times: unknown[][] = [];
  for (const cell of sums.cells) {
    const { width, slot, type } = cell;
    const row: TaskRollup = { width, slot, type, ...cell.counts };
    counts.push(valuesOf(taskRollupColumns, row));
    for (const [timeClass, count] of cell.times) {
      const answers: AnswerRollup = { width, slot, type, timeClass, count };
      times.push(valuesOf(answerRollupColumns, answers));
    }
  }
  for (const chunk of rowChunks(counts)) await connection.run(sql.addCounts, chunk);
  for (const chunk of rowChunks(times)) await connection.run(sql.addTimes, chunk);
  if (sums.pruneMinute !== null) await prune(connection, sums.pruneMinute);
}

async function prune(connection: SqliteConnection, minute: number): Promise<void> {
  for (const width of rollupWidths) {
    const first = firstKeptSlot(width, minute);
    if (first === null) continue;
    for (const table of ["task_rollups", "answer_rollups"]) {
      await connection.run(`DELETE FROM ${table} WHERE width = ? AND slot < ?`, width, first);
    }
  }
}
