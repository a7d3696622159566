import { z } from "zod";
import type { TaskRegistry } from "../task-registry.ts";
import { pace } from "./pace.ts";

const params = z.strictObject({
  items: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .meta({ title: "Items", description: "How many items to process." }),
  pace,
});

/** Simulates a batch that reports its progress and cleans up when it is cancelled. */
export function registerBatchProcess(manager: TaskRegistry): void {
  manager.registerTask(
    {
      type: "batch_process",
      title: "Batch process",
      description:
        "Simulated: processes items one by one with progress. Can be cancelled at any item and cleans up behind itself.",
      params,
      example: true,
    },
    async (ctx, { items, pace }) => {
      let processed = 0;
      try {
        for (let item = 1; item <= items; item++) {
          ctx.checkCancelled();
          await ctx.sleep(pace, { key: `item ${item}` });
          processed++;
          ctx.progress(processed, items, `Processed ${processed} items`);
        }
        return { processed };
      } finally {
        if (ctx.isCancelled) ctx.update(`Stopped after ${processed} of ${items} items`, "warning");
        // Runs after a cancel too, when other steps and waits throw.
        await ctx.step("clean up", () => ctx.update("Removed the working files"), {
          evenIfCancelled: true,
        });
      }
    },
  );
}
