import type { ApiAgent } from "./api-agent.ts";

/** What a page needs to be looked at with. */
export interface RealisticData {
  waitingTaskId: string;
  completedTaskId: string;
  failedTaskId: string;
  runningTaskId: string;
}

/** Fills an installation with about what a busy day leaves. */
export async function fillWithRealisticData(agent: ApiAgent): Promise<RealisticData> {
  const done = await agent.start("analyze_logs", { files: ["app.log", "web.log"], ask: "never" });
  for (const say of ["nightly import", "price list", "stock levels"])
    await agent.start("echo", { say });
  for (let i = 0; i < 24; i++) {
    await agent.start(
      i % 3 === 0 ? "steps" : "echo",
      i % 3 === 0 ? { seconds: 0.02 } : { say: `Part ${i}` },
    );
  }
  const failedTaskId = await agent.start("fail", {
    message: "ENOSPC: no space left on device, write '/var/lib/ledger/2026-11-30.part'",
  });
  await agent.start("fail", { message: "Upstream answered 503 four times; giving up" });
  const cancelled = await agent.start("work", { label: "Old export" });
  await agent.cancel(cancelled, "Superseded by the new export");
  const completedTaskId = await agent.start("analyze_logs", { files: ["app.log", "db.log"] });
  const question = await agent.question(completedTaskId);
  await agent.answer(question.questionId, ["all"]);
  await agent.result(completedTaskId);
  await agent.result(done);
  const waitingTaskId = await agent.start(
    "analyze_logs",
    { files: ["app.log", "db.log", "web.log"] },
    { customer: "Northwind" },
  );
  await agent.question(waitingTaskId);
  for (const what of ["fallback", "one", "form", "text", "operator", "context", "long"]) {
    await agent.question(await agent.start("ask", { what }));
  }
  await agent.question(await agent.start("approve", { options: { timeout: 1800 } }));
  const options = { approvals: 2, allowEdit: true, timeout: 2400 };
  await agent.question(await agent.start("approve", { times: [{ amount: 900 }], options }));
  await agent.start("work", { total: 900, label: "Reindexing articles" }, { customer: "Contoso" });
  await agent.start("work", { total: 300, label: "Sending invoices" });
  const runningTaskId = await agent.start("work", { total: 500, label: "Reading mailbox" });
  await new Promise((resolve) => setTimeout(resolve, 5000));
  return { waitingTaskId, completedTaskId, failedTaskId, runningTaskId };
}
