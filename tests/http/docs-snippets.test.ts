import { afterAll, beforeAll, expect, test } from "vitest";
import { registerBuiltInTasks } from "../../server/tasks/register.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { runSnippet, snippetsOf } from "../support/run-snippet.ts";

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({
    apiKey: "ttk_...",
    register: (manager) => registerBuiltInTasks(manager, { filesRoot: "examples/logs" }),
  });
});

afterAll(() => server.close());

test("docs/client.md: a task is followed, answered and read to its end", async () => {
  const [first = "", second = ""] = snippetsOf("docs/client.md", "ts");
  const polled = await runSnippet("client-poll", first, server.url);
  expect(polled.at(-1)?.[0]).toBe("completed");
  const watched = await runSnippet("client-watch", second, server.url);
  expect(watched.at(-1)).toEqual(["It ended:", "completed"]);
});
