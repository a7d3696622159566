import { z } from "zod";
import type { TaskRegistry } from "../task-registry.ts";
import { pace } from "./pace.ts";

const params = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .default("orders")
    .meta({ title: "Name", description: "Name of the database to set up." }),
  exists: z.boolean().default(true).meta({
    title: "Exists already",
    description: "Whether to pretend that the database exists already.",
  }),
  pace,
});

/** Simulates setting up a database, which asks before it drops one. */
export function registerSetupDatabase(manager: TaskRegistry): void {
  manager.registerTask(
    {
      type: "setup_database",
      title: "Set up database",
      description:
        "Simulated: sets up a database, and asks whether to drop or keep one that exists already.",
      params,
      example: true,
    },
    async (ctx, { name, exists, pace }) => {
      ctx.update("Checking existing databases...");
      await ctx.sleep(pace, { key: "check" });
      if (!exists) {
        ctx.update(`Creating database ${name}...`);
        await ctx.sleep(pace, { key: "create" });
        return "Database setup complete";
      }

      const answer = await ctx.askCustomer(
        `Found an existing database "${name}". Drop and recreate it?`,
        {
          choices: [
            { value: "drop", label: "Drop and recreate", description: "All its data is lost." },
            { value: "keep", label: "Keep it", description: "Only the migrations are run." },
          ],
          timeout: 120,
          key: "drop or keep",
          // Without an answer nothing may get lost.
          default: "keep",
        },
      );
      ctx.update(
        answer === "drop"
          ? "Dropping and recreating database..."
          : "Keeping existing database, running migrations only...",
      );
      await ctx.sleep(pace, { key: "set up" });
      return "Database setup complete";
    },
  );
}
