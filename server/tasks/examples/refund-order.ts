import { z } from "zod";
import { QuestionDeclined } from "../../core/errors.ts";
import type { TaskRegistry } from "../task-registry.ts";
import { pace } from "./pace.ts";

/** From this amount on, two people have to approve. */
const largeAmount = 500;

const refund = z.strictObject({
  order: z.string().min(1).max(100),
  amount: z.number().positive().max(100_000),
  currency: z.enum(["EUR", "USD"]),
});

const params = z.strictObject({
  order: refund.shape.order.default("A-1042").meta({
    title: "Order",
    description: "The order that the customer complains about.",
  }),
  amount: refund.shape.amount.default(80).meta({
    title: "Amount",
    description: `What to pay back; from ${largeAmount} on, two people have to approve it.`,
  }),
  currency: refund.shape.currency.default("EUR").meta({
    title: "Currency",
    description: "What the order was paid in.",
  }),
  pace,
});

/** Simulates a payment that people approve, or change, before it is made. */
export function registerRefundOrder(manager: TaskRegistry): void {
  manager.registerTask(
    {
      type: "refund_order",
      title: "Refund an order",
      description:
        "Simulated: looks an order up, asks people to approve the refund or to change it, and pays.",
      params,
      example: true,
    },
    async (ctx, { order, amount, currency, pace }) => {
      ctx.update(`Looking order ${order} up...`);
      await ctx.sleep(pace, { key: "look up" });
      try {
        const grant = await ctx.approve(
          "refund_order",
          { order, amount, currency },
          {
            prompt: `Refund order **${order}**?`,
            schema: refund,
            allowEdit: true,
            approvals: amount >= largeAmount ? 2 : 1,
            timeout: 3600,
          },
        );
        if (grant.isEdited) ctx.update("The refund was changed by who approved it", "warning");
        // The step gets what was approved, and nothing else can be paid with this grant.
        const paid = await ctx.step("pay", { grant, args: grant.args }, (approved) => ({
          ...approved,
          payment: `simulated-${approved.order}`,
        }));
        return { refunded: true, ...paid };
      } catch (error) {
        if (!(error instanceof QuestionDeclined)) throw error;
        ctx.update(error.message, "warning");
        return { refunded: false };
      }
    },
  );
}
