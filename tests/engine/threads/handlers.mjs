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
