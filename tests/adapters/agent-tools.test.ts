import { describe, expect, test } from "vitest";
import { z } from "zod";
import { agentTasksOf } from "../../server/adapters/agent-tools/agent-tasks.ts";
import { createAgentTools, toolDefinitions } from "../../server/agent-tools.ts";
import { StoreUnavailable, TaskManager } from "../../server/index.ts";
import { ann, testEngine } from "../engine/test-engine.ts";

type Fields = Record<string, unknown>;

/** The tools by name, as a model would call them: what comes back is what it reads, as JSON. */
function toolsOf(manager: TaskManager) {
  const tools = createAgentTools(manager);
  return async (name: string, args: unknown = {}): Promise<Fields> => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return JSON.parse(JSON.stringify(await tool.run(args)));
  };
}

function newWorld() {
  const { manager } = testEngine();
  return { manager, call: toolsOf(manager) };
}

/** A manager on the real clock, with one type that asks. */
function askingWorld(ask: object) {
  const manager = new TaskManager();
  manager.registerTask("ask", async (ctx) => {
    const outcome = await ctx.ask({ prompt: "Well?", ...ask } as Parameters<typeof ctx.ask>[0]);
    return { outcome: outcome.outcome, answer: outcome.answer };
  });
  return { manager, call: toolsOf(manager) };
}

async function askedBy(call: ReturnType<typeof toolsOf>) {
  const { task_id } = await call("start_task", { task_type: "ask" });
  const polled = await call("poll_task", { task_id });
  const { question_id } = polled.pending_question as Fields;
  return { task_id, question_id, polled };
}

describe("start_task", () => {
  test("takes params, parameters beside task_type, and both", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("echo", (_, params) => params);
    const given = [
      { task_type: "echo", params: { a: 1, b: 2 } },
      { task_type: "echo", a: 1, b: 2 },
      { task_type: "echo", params: { a: 1 }, b: 2 },
      { task_type: "echo", params: '{"a": 1, "b": 2}' },
    ];
    for (const args of given) {
      const { task_id } = await call("start_task", args);
      const { result } = await call("poll_task", { task_id });
      expect(result).toMatchObject({ status: "completed", result: { a: 1, b: 2 } });
    }
  });

  test("a parameter with a name of ours is given in params", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("echo", (_, params) => params);
    const params = { task_type: "mine", params: { taskId: 1 }, createdAt: "x" };
    const { task_id } = await call("start_task", { task_type: "echo", params });
    expect(await call("get_task", { task_id })).toMatchObject({ params, result: params });
  });

  test("says which parameter is given twice, and starts nothing", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("echo", (_, params) => params);
    const { error } = await call("start_task", {
      task_type: "echo",
      env: "a",
      params: { env: "b" },
    });
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("env") });
    expect(await call("list_tasks")).toEqual({ tasks: [], next_cursor: null });
  });

  test("an idempotency key starts one task", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("echo", (_, params) => params);
    const start = { task_type: "echo", idempotency_key: "k1" };
    const first = await call("start_task", start);
    expect(await call("start_task", start)).toEqual(first);
    const other = await call("start_task", { ...start, n: 1 });
    expect(other.error).toMatchObject({ code: "idempotency_conflict" });
  });

  test("an unknown type is told with those that exist, wrong parameters with what is wrong", async () => {
    const { manager, call } = newWorld();
    manager.registerTask({ type: "deploy", params: z.strictObject({ env: z.string() }) }, () => 1);
    const unknown = await call("start_task", { task_type: "deplyo" });
    expect(unknown.error).toMatchObject({
      code: "unknown_task_type",
      message: expect.stringContaining("deploy"),
      next_step: expect.stringContaining("list_task_types"),
    });
    const wrong = await call("start_task", { task_type: "deploy", env: 5 });
    expect(wrong.error).toMatchObject({
      code: "invalid_params",
      message: expect.stringContaining("env"),
      next_step: expect.stringContaining("start_task"),
    });
  });

  test("__proto__ among the parameters is a member like any other", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("echo", (_, params) => Object.keys(params));
    const args = JSON.parse('{"task_type": "echo", "params": {"__proto__": {"polluted": true}}}');
    const { task_id } = await call("start_task", args);
    const { result } = await call("poll_task", { task_id });
    expect(result).toMatchObject({ status: "completed", result: ["__proto__"] });
    expect(({} as Fields).polluted).toBeUndefined();
  });
});

describe("arguments", () => {
  test("a member that would be dropped is said, and nothing is started", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("echo", (_, params) => params);
    const args = JSON.parse('{"task_type": "echo", "__proto__": {"a": 1}}');
    const { error } = (await call("start_task", args)) as { error: Fields };
    expect(error).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/__proto__/),
    });
    expect((await manager.listTasks({ limit: 10 })).items).toEqual([]);
  });

  test("unknown and wrong ones are said, with those there are", async () => {
    const { call } = newWorld();
    const { error } = await call("poll_task", { taskId: "t", timeout: "soon" });
    expect(error).toMatchObject({ code: "invalid_input", next_step: expect.any(String) });
    const { message } = error as { message: string };
    for (const name of ["taskId", "task_id", "timeout", "since", "wait_for", "max_chars"]) {
      expect(message).toContain(name);
    }
  });

  test.each([null, undefined, 5, "text", [], true])(
    "%j for all arguments is refused",
    async (args) => {
      const { call } = newWorld();
      const { error } = await call("get_task", args);
      expect(error).toMatchObject({ code: "invalid_input" });
    },
  );

  test("ids of nothing are told as such", async () => {
    const { call } = newWorld();
    for (const name of ["poll_task", "get_task", "cancel_task"]) {
      expect((await call(name, { task_id: "task_none" })).error).toMatchObject({
        code: "task_not_found",
        next_step: expect.stringContaining("list_tasks"),
      });
    }
  });
});

test("a store that is away is told without its file, and anything unexpected without a word", async () => {
  const { manager } = newWorld();
  const away = new StoreUnavailable("The database /data/secret.db is full.", {
    file: "/data/secret.db",
  });
  const unexpected: unknown[] = [];
  for (const [thrown, code] of [
    [away, "store_unavailable"],
    [new Error("SELECT secret FROM /data/secret.db"), "internal"],
  ] as const) {
    const source = { ...agentTasksOf(manager), getTask: () => Promise.reject(thrown) };
    const tools = createAgentTools(source, { onUnexpected: (error) => unexpected.push(error) });
    const told = await tools.find(({ name }) => name === "get_task")?.run({ task_id: "t" });
    expect(told).toMatchObject({ error: { code } });
    expect(JSON.stringify(told)).not.toContain("secret");
  }
  expect(unexpected).toHaveLength(1);
});

describe("poll_task", () => {
  test("has the seed's fields, and nothing new when polled from its cursor", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("work", async (ctx) => {
      ctx.update("Pulling...");
      await ctx.progress(1, 2, "half");
      ctx.update("Careful", "warning");
      return { files_processed: 3, innerCamel: { keptAsIs: true } };
    });
    const { task_id } = await call("start_task", { task_type: "work" });
    let polled = await call("poll_task", { task_id, wait_for: "input_or_result" });
    expect(polled).toEqual({
      task_id,
      status: "completed",
      updates: ["Pulling...", "half", "Careful"].map((message) => ({
        task_id,
        message,
        level: message === "Careful" ? "warning" : "info",
        timestamp: expect.stringMatching(/\.\d{6}Z$/),
        update_id: expect.any(String),
      })),
      pending_question: null,
      result: {
        task_id,
        status: "completed",
        result: { files_processed: 3, innerCamel: { keptAsIs: true } },
        error: null,
        completed_at: expect.any(String),
      },
      cursor: expect.stringMatching(/^c_/),
      progress: { done: 1, total: 2, message: "half" },
    });
    const last = (polled.updates as { timestamp: string }[]).at(-1)?.timestamp;
    polled = await call("poll_task", { task_id, since: polled.cursor });
    expect(polled).toMatchObject({ updates: [], result: { status: "completed" } });
    // The seed's way: the timestamp of the last update.
    expect(await call("poll_task", { task_id, since: last })).toMatchObject({ updates: [] });
  });

  test("a failed task's error is in the result", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("risky", () => {
      throw new RangeError("something went wrong");
    });
    const { task_id } = await call("start_task", { task_type: "risky" });
    expect((await call("poll_task", { task_id })).result).toMatchObject({
      status: "failed",
      error: "RangeError: something went wrong",
    });
  });

  test("thousands of updates come as one digest of all of them", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("busy", async (ctx) => {
      for (let i = 1; i <= 1500; i++) await ctx.update(`Processed ${i} of 1,500 items`);
      await ctx.update("Done with it");
    });
    const { task_id } = await call("start_task", { task_type: "busy" });
    const polled = await call("poll_task", { task_id, wait_for: "input_or_result" });
    expect(polled.updates).toMatchObject([
      { message: "Processed 1500 of 1,500 items", merged: 1500 },
      { message: "Done with it" },
    ]);
    expect(polled).not.toHaveProperty("updates_left_out");
    expect(polled).not.toHaveProperty("has_more");
    expect(polled.result).toMatchObject({ status: "completed" });
  });

  test("a longer timeout than can be waited is clamped, and said", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("quick", () => 1);
    const { task_id } = await call("start_task", { task_type: "quick" });
    const { notice } = await call("poll_task", { task_id, timeout: 500 });
    expect(notice).toContain("50 s");
  });

  test("another task's cursor is refused with what to pass", async () => {
    const { manager, call } = newWorld();
    manager.registerTask("quick", () => 1);
    const a = await call("start_task", { task_type: "quick" });
    const b = await call("start_task", { task_type: "quick" });
    const { cursor } = await call("poll_task", { task_id: a.task_id });
    const { error } = await call("poll_task", { task_id: b.task_id, since: cursor });
    expect(error).toMatchObject({
      code: "invalid_cursor",
      next_step: expect.stringMatching(/since/),
    });
  });

  test("a signal ends the wait", async () => {
    const { manager } = askingWorld({});
    const tools = createAgentTools(manager);
    const call = toolsOf(manager);
    const { task_id, polled } = await askedBy(call);
    const leaving = new AbortController();
    const poll = tools.find(({ name }) => name === "poll_task");
    const waiting = poll?.run({ task_id, since: polled.cursor }, { signal: leaving.signal });
    leaving.abort();
    expect(await waiting).toMatchObject({ error: { next_step: expect.any(String) } });
    await manager.shutdown(0);
  });
});

describe("respond_to_question", () => {
  test("the customer's words reach the handler, and the answer is an agent's", async () => {
    const { manager, call } = askingWorld({});
    const { task_id, question_id, polled } = await askedBy(call);
    expect(polled).toMatchObject({
      status: "waiting_for_input",
      pending_question: {
        question_id,
        task_id,
        prompt: "Well?",
        timeout: 300,
        answerable_by: "anyone",
        answer: null,
        answered_at: null,
        timed_out: false,
      },
      next_step: expect.stringContaining("respond_to_question"),
    });
    const answered = await call("respond_to_question", { task_id, question_id, answer: "yes" });
    expect(answered).toMatchObject({ answered: true });
    const { result } = await call("poll_task", { task_id, wait_for: "input_or_result" });
    expect(result).toMatchObject({ result: { outcome: "answered", answer: "yes" } });
    const { resolvedBy } = await manager.getQuestion(question_id as string);
    expect(resolvedBy).toMatchObject({ kind: "agent", surface: "agent-tools" });
  });

  test.each([
    { ask: { schema: z.object({ size: z.int() }) }, answer: '{"size": 3}', reads: { size: 3 } },
    { ask: { schema: z.int() }, answer: "3", reads: 3 },
    { ask: { schema: z.string() }, answer: "3", reads: "3" },
    { ask: {}, answer: "3", reads: "3" },
    { ask: {}, answer: 3, reads: "3" },
    { ask: { choices: ["yes", "no"] }, answer: " YES", reads: "yes" },
    { ask: { choices: [{ value: "a", label: "Drop it" }] }, answer: "drop it", reads: "a" },
    { ask: { choices: ["1", "2"] }, answer: 2, reads: "2" },
    { ask: { choices: ["x", "y"], multiple: true }, answer: '["x"]', reads: ["x"] },
    { ask: { choices: ["x", "y"], multiple: true }, answer: "y, x", reads: ["y", "x"] },
    { ask: { choices: ["x", "y"], multiple: true }, answer: "X", reads: ["x"] },
  ])("$answer is read as $reads", async ({ ask, answer, reads }) => {
    const { manager, call } = askingWorld(ask);
    const { task_id, question_id } = await askedBy(call);
    await call("respond_to_question", { task_id, question_id, answer });
    const { result } = await call("poll_task", { task_id, wait_for: "input_or_result" });
    expect(result).toMatchObject({ result: { answer: reads } });
    await manager.shutdown(0);
  });

  test("an answer that does not fit is told with what would, and the question stays open", async () => {
    const { manager, call } = askingWorld({ choices: ["yes", "no"] });
    const { task_id, question_id } = await askedBy(call);
    const { error } = await call("respond_to_question", {
      task_id,
      question_id,
      answer: "perhaps",
    });
    expect(error).toMatchObject({
      code: "invalid_answer",
      message: expect.stringContaining("yes, no"),
      next_step: expect.stringContaining("still open"),
      pending_question: { choices: [{ value: "yes" }, { value: "no" }] },
    });
    expect(await call("poll_task", { task_id })).toMatchObject({
      pending_question: { question_id },
    });
    await manager.shutdown(0);
  });

  test("whoever comes second is told who was first", async () => {
    const { manager, call } = askingWorld({});
    const { task_id, question_id } = await askedBy(call);
    await manager.answerQuestion(question_id as string, "mine", { actor: ann });
    expect(await call("respond_to_question", { task_id, question_id, answer: "x" })).toMatchObject({
      answered: false,
      question: { outcome: "answered", answer: "mine", resolved_by: "Ann" },
      next_step: expect.stringContaining("poll_task"),
    });
  });

  test("the customer may decline, but not answer at once", async () => {
    const { call } = askingWorld({});
    const { task_id, question_id } = await askedBy(call);
    for (const wrong of [{}, { answer: "x", decline: true }, { decline: false }]) {
      const { error } = await call("respond_to_question", { task_id, question_id, ...wrong });
      expect(error).toMatchObject({ code: "invalid_input" });
    }
    const said = { decline: true, reason: "None of your business" };
    const declined = await call("respond_to_question", { task_id, question_id, ...said });
    expect(declined).toMatchObject({ declined: true });
    const { result } = await call("poll_task", { task_id, wait_for: "input_or_result" });
    expect(result).toMatchObject({ result: { outcome: "declined" } });
  });

  test("a question for operators is never answered or declined by a tool", async () => {
    const { manager, call } = askingWorld({ answerableBy: "operator" });
    const { task_id, question_id, polled } = await askedBy(call);
    expect(polled).toMatchObject({
      pending_question: { answerable_by: "operator" },
      next_step: expect.stringContaining("input_or_result"),
    });
    for (const said of [{ answer: "yes" }, { decline: true }]) {
      const { error } = await call("respond_to_question", { task_id, question_id, ...said });
      expect(error).toMatchObject({
        code: "forbidden",
        next_step: expect.stringMatching(/operator.*go on polling/),
      });
    }
    const next = call("poll_task", { task_id, since: polled.cursor, wait_for: "input_or_result" });
    await manager.answerQuestion(question_id as string, "yes", { actor: ann });
    await next;
    const { result } = await call("poll_task", { task_id });
    expect(result).toMatchObject({ result: { answer: "yes" } });
  });

  test("another task's question is none of this one", async () => {
    const { manager, call } = askingWorld({});
    const first = await askedBy(call);
    const second = await askedBy(call);
    const mixed = { task_id: first.task_id, question_id: second.question_id, answer: "x" };
    expect((await call("respond_to_question", mixed)).error).toMatchObject({
      code: "task_not_found",
    });
    await manager.shutdown(0);
  });
});

test("cancel_task asks the task to end, and says when it had", async () => {
  const { call } = askingWorld({});
  const { task_id } = await askedBy(call);
  const cancelled = await call("cancel_task", { task_id, reason: "Changed my mind" });
  expect(cancelled).toMatchObject({ cancelled: true });
  await call("poll_task", { task_id, wait_for: "input_or_result" });
  expect(await call("get_task", { task_id })).toMatchObject({
    questions: [{ outcome: "cancelled" }],
  });
  expect(await call("cancel_task", { task_id })).toMatchObject({ cancelled: false });
});

test("list_task_types and list_tasks show what there is", async () => {
  const { manager, call } = newWorld();
  const params = z.object({ env: z.string().describe("Where to") });
  manager.registerTask({ type: "deploy", description: "Deploys.", params }, () => 1);
  expect(await call("list_task_types")).toMatchObject({
    task_types: [
      {
        task_type: "deploy",
        description: "Deploys.",
        params_schema: { properties: { env: { description: "Where to" } } },
      },
    ],
  });
  const { task_id } = await call("start_task", { task_type: "deploy", env: "lab" });
  await call("poll_task", { task_id });
  expect(
    await call("list_tasks", { statuses: ["completed"], task_types: ["deploy"] }),
  ).toMatchObject({
    tasks: [{ task_id, task_type: "deploy", status: "completed" }],
  });
  expect(await call("list_tasks", { statuses: ["failed"] })).toMatchObject({ tasks: [] });
});

describe("toolDefinitions", () => {
  test("the tools of the seed and those around them, with closed schemas", () => {
    const tools = toolDefinitions();
    expect(tools.map(({ name }) => name)).toEqual([
      "start_task",
      "poll_task",
      "respond_to_question",
      "cancel_task",
      "list_task_types",
      "get_task",
      "list_tasks",
    ]);
    for (const { name, description, parameters } of tools) {
      expect(description.length).toBeGreaterThan(40);
      expect(parameters).toMatchObject({ type: "object" });
      expect(parameters.additionalProperties === false).toBe(name !== "start_task");
    }
    expect(tools[1]?.parameters.required).toEqual(["task_id"]);
    expect(tools[2]?.parameters.required).toEqual(["task_id", "question_id"]);
  });

  test("in the formats of frameworks", () => {
    const [plain] = toolDefinitions();
    expect(plain).toBeDefined();
    const { name, description, parameters } = plain as NonNullable<typeof plain>;
    expect(toolDefinitions("openai")[0]).toEqual({
      type: "function",
      function: { name, description, parameters },
    });
    expect(toolDefinitions("openai_responses")[0]).toEqual({
      type: "function",
      strict: false,
      name,
      description,
      parameters,
    });
    expect(toolDefinitions("anthropic")[0]).toEqual({
      name,
      description,
      input_schema: parameters,
    });
    expect(toolDefinitions("langchain")[0]).toEqual({ name, description, schema: parameters });
  });
});
