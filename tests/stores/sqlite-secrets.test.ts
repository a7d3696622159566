import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { secretBox, TaskManager } from "../../server/index.ts";
import { SqliteConnection } from "../../server/stores/sqlite-connection.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import {
  allThatIsShown,
  bytesIn,
  loginParams,
  pin,
  stepSecret,
  token,
} from "../engine/secret-world.ts";
import { ann, rejection } from "../engine/test-engine.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolthread-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("no byte of a secret is in the database, its log, or what is shown after it was opened again", async () => {
  const folder = await emptyFolder();
  const file = join(folder, "tasks.db");
  const secrets = secretBox({ secret: "a secret that is for tests" });
  const open = async () => {
    const store = await SQLiteStore.open(file);
    const manager = new TaskManager({ store, secrets });
    manager.registerTask({ type: "login", params: loginParams }, async (ctx, params) => {
      const given = await ctx.askCustomer("The PIN?", { secret: true });
      const made = await ctx.step("session", () => ({ made: stepSecret }), { secret: true });
      await ctx.update(`${params.token} ${given} ${made.made}`);
      await ctx.progress(1, 1, made.made);
      await ctx.step("leak", () => given).catch(() => {});
      await ctx.step("break", () => Promise.reject(new Error(params.token))).catch(() => {});
      throw new Error(`failed with ${given} for ${params.token} and ${JSON.stringify(made)}`);
    });
    return { store, manager };
  };
  const before = await open();
  const taskId = await before.manager.startTask("login", { token }, { idempotencyKey: "k" });
  const poll = await before.manager.pollTask(taskId, { waitFor: "input_or_result" });
  const questionId = poll.pendingQuestion?.questionId as string;
  await before.manager.answerQuestion(questionId, pin, { actor: ann });
  await vi.waitFor(async () => {
    expect((await before.manager.getTaskView(taskId)).status).toBe("failed");
  });
  // The full-text index has its own pieces of texts, which no look at bytes would find.
  for (const secret of [token, pin, stepSecret]) {
    expect(await before.manager.listTasks({ text: secret, limit: 9 })).toMatchObject({ items: [] });
  }
  expect(
    (await before.manager.listTasks({ text: "failed with •••", limit: 9 })).items,
  ).toHaveLength(1);
  // While it is open, what was written last is in the log only.
  const whileOpen = await bytesIn(folder);
  await before.manager.shutdown(1);
  await before.store.close();
  const closed = await bytesIn(folder);

  const after = await open();
  const shown = await allThatIsShown(after.manager, taskId);
  const again = await after.manager.rerunTask(taskId, { actor: ann });
  const running = await after.manager.pollTask(again.taskId, { waitFor: "input_or_result" });
  expect(running.pendingQuestion?.secret).toBe(true);
  await after.manager.shutdown(1);
  await after.store.close();

  expect(whileOpen.includes("signing") || whileOpen.includes("login")).toBe(true);
  for (const secret of [token, pin, stepSecret]) {
    for (const bytes of [whileOpen, closed, await bytesIn(folder)]) {
      expect(bytes.includes(secret)).toBe(false);
      expect(bytes.includes(Buffer.from(secret).toString("base64").slice(0, 15))).toBe(false);
    }
    expect(shown).not.toContain(secret);
  }
});

test("the audit log cannot be changed or emptied, not even with another program", async () => {
  const folder = await emptyFolder();
  const file = join(folder, "tasks.db");
  const store = await SQLiteStore.open(file);
  const manager = new TaskManager({ store });
  manager.registerTask("t", () => {});
  await manager.startTask("t");
  await manager.shutdown(1);
  await store.close();
  const connection = await SqliteConnection.open(file, { busyTimeout: 1 });
  onTestFinished(() => connection.close());
  const columns = (await connection.rows<{ name: string }>("PRAGMA table_info(audit)"))
    .map(({ name }) => `"${name}"`)
    .join();
  const attempts = [
    "UPDATE audit SET actor_name = 'nobody'",
    "DELETE FROM audit",
    `INSERT OR REPLACE INTO audit (${columns}) SELECT ${columns} FROM audit`,
  ];
  for (const sql of attempts) {
    const error = await rejection(connection.run(sql));
    expect(JSON.stringify(error.cause)).toContain("append-only");
  }
  expect(await connection.rows("SELECT action FROM audit")).toEqual([{ action: "task.started" }]);
});
