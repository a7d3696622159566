// Your own task types. Start toolthread with them: TOOLTHREAD_TASKS=examples/tasks.js npm start
import { z } from "zod";

const recipients = ["ada@example.com", "grace@example.com", "linus@example.com"];

/**
 * Called once when toolthread starts, after its own task types are registered.
 *
 * @param {import("toolthread").TaskManager} manager
 */
export default function registerTasks(manager) {
  // The plain form: a name and a function. Parameters are whatever the caller sends.
  manager.registerTask("greet", (_ctx, params) => `Hello, ${params.name ?? "world"}!`);

  // The full form: the schema checks parameters before the task starts, and is the form in the
  // dashboard and the description that agents read.
  manager.registerTask(
    {
      type: "send_newsletter",
      title: "Send newsletter",
      description: "Simulated: collects recipients, asks for the subject, and sends.",
      params: z.strictObject({
        batchSize: z
          .int()
          .min(1)
          .max(100)
          .default(2)
          .meta({ title: "Batch size", description: "Letters sent at a time." }),
      }),
      example: true,
    },
    async (ctx, { batchSize }) => {
      // A step runs once, even if the process dies and the task is resumed.
      const letters = await ctx.step("collect recipients", () => recipients);
      ctx.update(`${letters.length} recipients`);

      // With a schema, people get a form, and the answer has its type.
      const answer = await ctx.askCustomer("What is the subject?", {
        schema: z.object({
          subject: z.string().min(3).meta({ title: "Subject" }),
          isTest: z.boolean().default(true).meta({ title: "Only a test" }),
        }),
        timeout: 3600,
        key: "subject",
      });

      for (let sent = 0; sent < letters.length; ) {
        ctx.checkCancelled();
        const batch = letters.slice(sent, sent + batchSize);
        await ctx.step("send", () => batch.length, { key: `from ${sent}` });
        sent += batch.length;
        ctx.progress(sent, letters.length, `Sent ${sent} of ${letters.length}`);
      }
      return { ...answer, sent: letters.length };
    },
  );
}
