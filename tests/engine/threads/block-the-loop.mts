// Run by watchdog.test.ts: one task blocks the event loop for longer than the watchdog allows.
import { setTimeout as sleep } from "node:timers/promises";
import { Watchdog } from "../../../server/engine/watchdog.ts";
import { TaskManager } from "../../../server/index.ts";

const manager = new TaskManager();
const print = (message: string) => console.log(JSON.stringify(message));
const watchdog = new Watchdog({
  log: { info: print, warn: print, error: print },
  runningTasks: () => manager.runningTasks().map(({ type, taskId }) => `${type} ${taskId}`),
  thresholdSeconds: 0.5,
});
watchdog.start();
manager.registerTask("hog", async () => {
  await sleep(600);
  const until = performance.now() + 1500;
  while (performance.now() < until);
});
const taskId = await manager.startTask("hog");
const { status } = await manager.pollTask(taskId, { waitFor: "input_or_result" });
await sleep(300);
print(status);
await watchdog.stop();
await manager.shutdown();
