import { afterAll, beforeAll, expect, test } from "vitest";
import type { TaskEvent } from "../../server/core/task-event.ts";
import type { EventsFound } from "../../server/engine/event-search.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { trpcClient } from "../support/trpc-client.ts";

// More than is looked at in one call.
const updates = 10_400;

let server: ApiServer;
let taskId: string;

beforeAll(async () => {
  server = await startApiServer({
    register(manager) {
      manager.registerTask("chatty", async (ctx) => {
        for (let i = 1; i <= updates; i++) {
          const level = i === 7 || i === updates ? "error" : i % 1000 === 0 ? "warning" : "debug";
          const posted = ctx.update(`Line ${i} of\nthe “Ünïcode” log`, level);
          if (i % 500 === 0) await posted;
        }
        await ctx.askCustomer("Is 100% of it right?");
        return "done";
      });
    },
  });
  taskId = await server.manager.startTask("chatty");
  const { pendingQuestion } = await server.manager.pollTask(taskId, {
    waitFor: "input_or_result",
    timeout: 60,
  });
  await server.manager.answerQuestion(pendingQuestion?.questionId ?? "", "Certainly_not");
  await server.manager.pollTask(taskId, { waitFor: "input_or_result", timeout: 60 });
});

afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

async function searchAll(query: { text?: string; level?: "warning" | "error" }) {
  const client = trpcClient(server.url);
  const found: TaskEvent[] = [];
  const calls: EventsFound[] = [];
  for (let afterSeq = 0; ; ) {
    const page = await client.tasks.searchEvents.query({ taskId, ...query, afterSeq, limit: 5 });
    calls.push(page);
    found.push(...page.items);
    expect(page.searchedTo - afterSeq).toBeLessThanOrEqual(10_000);
    afterSeq = page.searchedTo;
    if (!page.hasMore) return { found, calls };
  }
}

test("a search finds every entry of a long timeline once, in order", async () => {
  const { found, calls } = await searchAll({ text: "LINE 1040" });
  const messages = found.flatMap((event) => (event.kind === "update" ? [event.message] : []));
  expect(messages.map((message) => message.split("\n")[0])).toEqual([
    "Line 1040 of",
    "Line 10400 of",
  ]);
  expect(calls.length).toBeGreaterThan(1);
});

test("a search is for text, not for patterns, in questions and answers too", async () => {
  expect((await searchAll({ text: "100%" })).found).toMatchObject([{ kind: "question_opened" }]);
  expect((await searchAll({ text: "10%" })).found).toEqual([]);
  expect((await searchAll({ text: "certainly_NOT" })).found).toMatchObject([
    { kind: "question_resolved" },
  ]);
  expect((await searchAll({ text: "ünïCODE", level: "error" })).found).toHaveLength(2);
});

test("only what matters at least as much as a level", async () => {
  const { found } = await searchAll({ level: "warning" });
  const levels = found.map((event) => (event.kind === "update" ? event.level : event.kind));
  expect(levels.filter((level) => level === "warning")).toHaveLength(10);
  expect(levels.filter((level) => level === "error")).toHaveLength(2);
  expect(levels).toHaveLength(12);
});

test("the timeline is downloaded whole, as JSON and as text", async () => {
  const path = `${server.url}/api/v1/tasks/${taskId}/timeline`;
  const json = await fetch(path);
  expect(json.headers.get("content-disposition")).toBe(`attachment; filename="${taskId}.json"`);
  const { task, questions, events, result } = (await json.json()) as {
    task: { lastSeq: number };
    questions: unknown[];
    events: TaskEvent[];
    result: unknown;
  };
  expect(events.map(({ seq }) => seq)).toEqual(
    Array.from({ length: task.lastSeq }, (_, i) => i + 1),
  );
  expect(questions).toHaveLength(1);
  expect(result).toBe("done");

  const text = await (await fetch(`${path}?format=text`)).text();
  const lines = text.split("\n").filter((line) => /^\d{4}-/.test(line));
  expect(lines).toHaveLength(task.lastSeq);
  expect(text).toMatch(/#9 ERROR {3}Line 7 of\n {4}the “Ünïcode” log\n/);
  expect(text).toMatch(/Answered by .+: Certainly_not\n/);

  expect((await fetch(`${path}?format=xml`)).status).toBe(400);
  expect((await fetch(path.replace(taskId, "task_none"))).status).toBe(404);
  expect((await fetch(path, { method: "POST" })).status).toBe(405);
});
