import { expect } from "vitest";
import type { Page, QuestionQuery, TaskQuery } from "../../server/core/durable-task-store.ts";
import type { QuestionData } from "../../server/core/task-question.ts";
import type { ConformanceTest } from "./conformance.ts";
import { operator, type StoreKit } from "./store-kit.ts";

/** The lists of tasks and questions, page by page. */
export function listTests(test: ConformanceTest): void {
  test("tasks, newest or oldest first, in pages that neither skip nor repeat", async ({ kit }) => {
    const ids: string[] = [];
    for (let i = 0; i < 11; i += 1) {
      // Three at a time have the same moment, so that the id has to decide.
      if (i % 3 === 0) await kit.clock.advance(1);
      ids.push(await kit.start());
    }
    for (const limit of [1, 3, 4, 11, 500]) {
      expect(await allTasks(kit, { limit, order: "oldest" })).toEqual(ids);
      expect(await allTasks(kit, { limit })).toEqual(ids.toReversed());
    }
  });

  test("a page stays what it was when tasks are added at the head", async ({ kit }) => {
    for (let i = 0; i < 4; i += 1) {
      await kit.clock.advance(1);
      await kit.start();
    }
    const first = await kit.store.listTasks({ limit: 2 });
    await kit.clock.advance(1);
    await kit.start();
    const second = await kit.store.listTasks({ limit: 2, after: first.nextCursor });
    const seen = [...first.items, ...second.items].map(({ taskId }) => taskId);
    expect(new Set(seen).size).toBe(4);
    expect(second.nextCursor).toBeNull();
  });

  test("tasks by status, type, label, parent, creator and id, and any of them together", async ({
    kit,
  }) => {
    const parentTaskId = await kit.start({ type: "parent" });
    for (let i = 0; i < 24; i += 1) {
      if (i % 2 === 0) await kit.clock.advance(1);
      const { taskId, epoch } = await kit.running({
        type: ["deploy", "export", "deploy"][i % 3],
        labels: { env: i % 2 === 0 ? "prod" : "test", ...(i % 5 === 0 ? { team: "a" } : {}) },
        parentTaskId: i % 4 === 0 ? parentTaskId : null,
        rerunOf: i % 3 === 0 ? parentTaskId : null,
        ...(i % 6 === 0 ? { actor: operator } : {}),
      });
      if (i % 4 === 1) await kit.finish(taskId, epoch);
      if (i % 4 === 2) await kit.ask(taskId);
    }
    const everyone = (await kit.store.listTasks({ limit: 500 })).items;
    const parts: Partial<TaskQuery>[] = [
      {},
      { statuses: ["completed"] },
      { statuses: ["running", "waiting_for_input", "completed"] },
      { types: ["deploy"] },
      { types: ["export", "deploy", "none"] },
      { labels: { env: "prod" } },
      { labels: { env: "prod", team: "a" } },
      { parentTaskId },
      { rerunOf: parentTaskId },
      { createdById: "ada" },
      { text: "2" },
      { text: "task_00" },
    ];
    for (const one of parts) {
      for (const other of parts) {
        const query = { ...one, ...other };
        const wanted = everyone.filter(
          (task) =>
            (query.statuses?.includes(task.status) ?? true) &&
            (query.types?.includes(task.type) ?? true) &&
            Object.entries(query.labels ?? {}).every(([k, v]) => task.labels[k] === v) &&
            (query.parentTaskId === undefined || task.parentTaskId === query.parentTaskId) &&
            (query.rerunOf === undefined || task.rerunOf === query.rerunOf) &&
            (query.createdById === undefined || task.createdBy.id === query.createdById) &&
            task.taskId.includes(query.text ?? ""),
        );
        const ids = wanted.map(({ taskId }) => taskId);
        expect(await allTasks(kit, { ...query, limit: 5 }), JSON.stringify(query)).toEqual(ids);
        const oldest = await allTasks(kit, { ...query, limit: 7, order: "oldest" });
        expect(oldest, JSON.stringify(query)).toEqual(ids.toReversed());
      }
    }
  });

  test("text is text: nothing in it is a pattern", async ({ kit }) => {
    await kit.start({ taskId: "task_a%b" });
    await kit.start({ taskId: "task_axb" });
    await kit.start({ taskId: "task_A_B" });
    expect(await allTasks(kit, { text: "a%b", limit: 9 })).toEqual(["task_a%b"]);
    expect(await allTasks(kit, { text: "A_B", limit: 9 })).toEqual(["task_A_B"]);
    expect(await allTasks(kit, { text: "k_a", limit: 9, order: "oldest" })).toEqual([
      "task_a%b",
      "task_axb",
    ]);
  });

  test("open questions by deadline, resolved ones latest first", async ({ kit }) => {
    const [one, two] = [await kit.start(), await kit.start()];
    const asked: QuestionData[] = [];
    for (const [taskId, seconds] of [
      [one, 50],
      [two, 20],
      [one, 20],
      [two, 90],
    ] as const) {
      asked.push(await kit.ask(taskId, { deadline: kit.later(seconds) }));
    }
    const [a, b, c, d] = asked.map(({ questionId }) => questionId);
    expect(await allQuestions(kit, { state: "open", limit: 1 })).toEqual([b, c, a, d]);
    expect(await allQuestions(kit, { state: "open", taskId: two, limit: 5 })).toEqual([b, d]);
    expect(await allQuestions(kit, { state: "resolved", limit: 5 })).toEqual([]);
    for (const place of [1, 3, 0]) {
      await kit.clock.advance(1);
      await kit.resolve(asked[place]!, "answered", "x");
    }
    expect(await allQuestions(kit, { state: "resolved", limit: 2 })).toEqual([a, d, b]);
    expect(await allQuestions(kit, { state: "resolved", taskId: one, limit: 2 })).toEqual([a]);
    expect(await allQuestions(kit, { state: "open", limit: 2 })).toEqual([c]);
  });

  test("a cursor that is none is refused", async ({ kit }) => {
    const refusal = { code: "invalid_input" };
    await kit.start();
    await expect(kit.store.listTasks({ limit: 5, after: "x" })).rejects.toMatchObject(refusal);
    const questions = kit.store.listQuestions({ state: "open", limit: 5, after: "x" });
    await expect(questions).rejects.toMatchObject(refusal);
  });
}

async function allTasks(kit: StoreKit, query: TaskQuery): Promise<string[]> {
  const pages = await allPages((after) => kit.store.listTasks({ ...query, after }), query.limit);
  return pages.map(({ taskId }) => taskId);
}

async function allQuestions(kit: StoreKit, query: QuestionQuery): Promise<string[]> {
  const list = (after: string | null) => kit.store.listQuestions({ ...query, after });
  return (await allPages(list, query.limit)).map(({ questionId }) => questionId);
}

async function allPages<Item>(
  list: (after: string | null) => Promise<Page<Item>>,
  limit: number,
): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | null = null;
  do {
    const page: Page<Item> = await list(after);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    if (page.nextCursor !== null) expect(page.items).toHaveLength(limit);
    items.push(...page.items);
    after = page.nextCursor;
  } while (after !== null);
  return items;
}
