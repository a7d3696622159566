import { expect, test } from "vitest";
import type { TaskContext } from "../../server/index.ts";
import { onBothStores, rest, startProcess } from "../engine/mortal-process.ts";

// The example of docs/durability.md.
onBothStores((makeWorld) => {
  test("what is outside a step happens again, what is in one does not", async () => {
    const world = await makeWorld();
    const mails: string[] = [];
    const charges: string[] = [];
    const order = async (ctx: TaskContext, params: { to: string }) => {
      mails.push(params.to);
      const receipt = await ctx.step("charge", () => {
        charges.push(`${ctx.taskId} charge`);
        return `receipt ${charges.length}`;
      });
      const answer = await ctx.askCustomer(`Paid (${receipt}). Ship it?`, {
        choices: ["yes", "no"],
      });
      return { receipt, answer };
    };
    const first = startProcess(world);
    first.manager.registerTask("order", order);
    const taskId = await first.manager.startTask("order", { to: "ann" });
    await rest(world);
    const [asked] = await world.store.getOpenQuestions(taskId);
    first.die();

    const second = startProcess(world);
    second.manager.registerTask("order", order);
    await second.manager.ready();
    await rest(world);
    // Nothing runs again before there is something to do.
    expect({ mails, charges: charges.length }).toEqual({ mails: ["ann"], charges: 1 });
    const [open] = await world.store.getOpenQuestions(taskId);
    expect(open).toEqual(asked);
    await second.manager.respondToQuestion(taskId, open?.questionId ?? "", "yes");
    await rest(world);
    const { result } = await second.manager.getTask(taskId);
    expect(result).toEqual({ receipt: "receipt 1", answer: "yes" });
    expect(mails).toEqual(["ann", "ann"]);
    expect(charges).toEqual([`${taskId} charge`]);
  });
});
