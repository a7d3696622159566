import { expect, test } from "vitest";
import { z } from "zod";
import { systemInstructions, toolDefinitions } from "../../server/agent-tools.ts";
import { TaskManager } from "../../server/index.ts";

test("they name every tool and every task type with its parameters", () => {
  const manager = new TaskManager();
  const params = z.object({
    service: z.string().describe("What to deploy."),
    env: z.enum(["staging", "production"]).default("staging"),
    files: z.array(z.string()).optional(),
  });
  manager.registerTask(
    { type: "deploy", title: "Deploy", description: "Deploys it.", params },
    () => 1,
  );
  manager.registerTask("anything", () => 1);
  const text = systemInstructions(manager.taskTypes());
  for (const { name } of toolDefinitions()) expect(text).toContain(`**${name}**`);
  expect(text).toContain("`deploy`: Deploy. Deploys it");
  expect(text).toContain("`service` (string, required) What to deploy");
  expect(text).toContain('`env` ("staging" | "production", optional)');
  expect(text).toContain("`files` (list of string, optional)");
  expect(text).toContain("- `anything`");
});

test("they say that since is the cursor, and that polling goes on while an operator must answer", () => {
  const text = systemInstructions([]).replace(/\s+/g, " ");
  expect(text).toContain("since is the cursor of the last poll_task response");
  expect(text).toMatch(
    /answerable_by "operator".*an operator must answer.*go on polling with wait_for/,
  );
  expect(text).toContain("There are none that you may start.");
});
