import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { DurableTaskStore, TaskManager } from "../../server/index.ts";

/** Values that nobody but a handler may ever see; each stands for a way in. */
export const token = "tok-5f1c0a97e3b24d";
export const pin = "pin-77120034411";
export const stepSecret = "step-aa90517763";

export const loginParams = z.object({
  host: z.string().default("example.com"),
  token: z.string().min(6).meta({ secret: true }),
});

/** All that callers can read of a task and around it, as one text. */
export async function allThatIsShown(manager: TaskManager, taskId: string): Promise<string> {
  const detail = await manager.getTask(taskId);
  const shown = [
    detail,
    await manager.getTaskView(taskId),
    (await manager.pollTask(taskId, { timeout: 0 })).toJSON(),
    await manager.readEvents(taskId),
    await manager.listTasks({ limit: 100 }),
    await manager.listQuestions({ state: "open", limit: 100 }),
    await manager.listQuestions({ state: "resolved", limit: 100 }),
    await manager.audit.list({ limit: 100 }),
    await Promise.all(detail.questions.map(({ questionId }) => manager.getQuestion(questionId))),
    manager.taskTypes(),
    await feedOf(manager, taskId),
  ];
  return JSON.stringify(shown);
}

/** Everything the live feed would say of a task to somebody who saw nothing yet. */
async function feedOf(manager: TaskManager, taskId: string): Promise<unknown[]> {
  const newest = await manager.lastPosition();
  const closing = new AbortController();
  const messages: unknown[] = [];
  for await (const message of manager.followFeed({
    afterPosition: 0,
    taskId,
    signal: closing.signal,
  })) {
    messages.push(message);
    const { lastSeq } = await manager.getTaskView(taskId);
    if (message.kind !== "event" || message.position >= newest || message.event.seq >= lastSeq)
      break;
  }
  closing.abort();
  return messages;
}

/** All that a store keeps of a task, encrypted values included, as one text. */
export async function allThatIsStored(store: DurableTaskStore, taskId: string): Promise<string> {
  const stored = [
    await store.getTask(taskId),
    await store.getPayload(taskId),
    await store.getJournal(taskId),
    await store.getQuestions(taskId),
    await store.readEvents(taskId, {}),
    [...(await store.getSealed(taskId))],
    await store.audit.list({ limit: 100 }),
  ];
  return JSON.stringify(stored);
}

/** The bytes of every file in a folder, the write-ahead log included. */
export async function bytesIn(folder: string): Promise<Buffer> {
  const names = await readdir(folder);
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name)))));
}
