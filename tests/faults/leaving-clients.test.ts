import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { TaskContext } from "../../server/index.ts";
import { startApiServer } from "../support/api-server.ts";
import { readStream } from "../support/read-stream.ts";

/** What would end a server: rejections that nobody handled. */
function collectUnhandled(): unknown[] {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  return unhandled;
}

test("clients of streams and polls may leave at any moment", async () => {
  const unhandled = collectUnhandled();
  const server = await startApiServer({
    register: (manager) =>
      manager.registerTask("busy", async (ctx: TaskContext) => {
        for (let i = 0; !ctx.isCancelled; i += 1) {
          await ctx.update(`update ${i}`);
          await ctx.sleep(0.002, { key: String(i) });
        }
      }),
  });
  const taskId = await server.manager.startTask("busy");
  const until = Date.now() + 4000;
  let visits = 0;
  const client = async (index: number) => {
    let lastEventId: string | undefined;
    while (Date.now() < until) {
      visits += 1;
      const millis = Math.floor(Math.random() * 60);
      if (index % 3 === 0) {
        const signal = AbortSignal.timeout(millis);
        const url = `${server.url}/api/v1/tasks/${taskId}/poll?waitFor=input_or_result`;
        await fetch(url, { signal }).catch(() => undefined);
        continue;
      }
      // One that comes back is in the middle of what it missed when it leaves again.
      const what = index % 2 === 0 ? "feed" : "task";
      const input = JSON.stringify({ lastEventId, ...(what === "task" ? { taskId } : {}) });
      const url = `${server.url}/api/trpc/live.${what}?input=${encodeURIComponent(input)}`;
      const stream = await readStream(url);
      setTimeout(stream.close, millis);
      for await (const { id } of stream.events) if (id !== null) lastEventId = id;
    }
  };
  await Promise.all(Array.from({ length: 12 }, (_, index) => client(index)));
  await server.manager.cancelTask(taskId);
  await pause(100);
  await server.close();
  expect(visits).toBeGreaterThan(100);
  expect(unhandled).toEqual([]);
  expect(server.errors).toEqual([]);
});
