import { z } from "zod";
import type { TaskManager } from "../../server/engine/task-manager.ts";

/** The task types that the conformance scenarios ask for, as tools of their own. */
export function registerFixtures(manager: TaskManager): void {
  const params = z.object({ seconds: z.number().min(0).max(60).default(0) });
  manager.registerTask({ type: "slow_compute", params }, async (ctx, { seconds }) => {
    await ctx.sleep(seconds);
    return `Computed for ${seconds} s`;
  });
  manager.registerTask("failing_job", async (ctx) => {
    await ctx.sleep(1);
    throw new Error("This job always fails");
  });
  // Two steps that cannot be told apart: a fault that is no result of the work.
  manager.registerTask("protocol_error_job", (ctx) =>
    Promise.all([ctx.step("same", async () => 1), ctx.step("same", async () => 2)]),
  );
  manager.registerTask("confirm_delete", async (ctx) => {
    const answer = await ctx.askCustomer("Delete it?", {
      schema: z.object({ confirm: z.boolean() }),
    });
    return answer.confirm ? "Deleted" : "Kept";
  });
  manager.registerTask("multi_input", (ctx) =>
    Promise.all([
      ctx.askCustomer("Your name?", { key: "name", schema: z.object({ name: z.string() }) }),
      ctx.askCustomer("Sure?", { key: "sure", schema: z.object({ confirm: z.boolean() }) }),
    ]),
  );
}
