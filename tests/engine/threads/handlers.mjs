// Handlers that the thread tests run in worker threads.

export default async function everything(ctx, params) {
  ctx.update(`hello from a thread, ${params.name}`);
  const doubled = await ctx.step("double", () => params.n * 2);
  await ctx.progress(1, 2);
  const answer = await ctx.askCustomer("Continue?", { choices: ["yes", "no"], timeout: 30 });
  return { doubled, answer };
}

export function spin() {
  for (;;) {
    // Blocks its thread for ever: only killing the thread ends it.
  }
}

export async function fail(ctx) {
  await ctx.step("breaks", () => {
    throw new RangeError("out of reach");
  });
}

export async function stops(ctx) {
  await ctx.sleep(3600);
}

export async function approves(ctx, { amount }) {
  const grant = await ctx.approve("refund", { amount }, { timeout: 30 });
  const paid = await ctx.step("pay", { grant, args: grant.args }, (args) => args.amount * 2);
  const again = await ctx
    .step("pay again", { grant, args: grant.args }, () => "paid again")
    .catch((error) => `${error.code} ${error.details.reason}`);
  return { paid, again };
}
