import { z } from "zod";
import type { TaskRegistry } from "../task-registry.ts";
import { pace } from "./pace.ts";

const knownIssues = [
  "The last backup is 26 hours old",
  "Two migrations are pending",
  "The error rate is above its usual level",
  "A feature flag of the last release is still off",
  "The certificate expires in 9 days",
];

const params = z.strictObject({
  env: z
    .string()
    .min(1)
    .max(100)
    .default("staging")
    .meta({ title: "Environment", description: "Where to deploy, for example production." }),
  issues: z
    .int()
    .min(0)
    .max(knownIssues.length)
    .default(2)
    .meta({ title: "Issues", description: "How many issues the checks pretend to find." }),
  pace,
});

/** Simulates a deployment that asks before it goes on in spite of issues. */
export function registerDeploy(manager: TaskRegistry): void {
  manager.registerTask(
    {
      type: "deploy",
      title: "Deploy",
      description:
        "Simulated: checks an environment, asks whether to proceed when the checks found issues, and deploys.",
      params,
      example: true,
    },
    async (ctx, { env, issues: issueCount, pace }) => {
      ctx.update("Running pre-deploy checks...");
      await ctx.sleep(pace, { key: "checks" });
      const issues = knownIssues.slice(0, issueCount);

      if (issues.length > 0) {
        const found = `${issues.length} ${issues.length === 1 ? "issue" : "issues"}`;
        ctx.update(`Found ${found}`, "warning");
        const list = issues.map((issue) => `- ${issue}`).join("\n");
        const answer = await ctx.askCustomer(
          `Pre-deploy found ${found}:\n${list}\n\nProceed anyway?`,
          { choices: ["yes", "no"], timeout: 300, key: "proceed" },
        );
        if (answer !== "yes") return "Deploy aborted by customer";
      }

      ctx.update("Deploying...");
      const stages = ["Pulled the image", "Ran the migrations", "Replaced the instances"];
      for (const [i, stage] of stages.entries()) {
        await ctx.sleep(pace, { key: stage });
        ctx.progress(i + 1, stages.length, stage);
      }
      return `Deployed to ${env}`;
    },
  );
}
