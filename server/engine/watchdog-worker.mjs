// The watchdog's thread: says on standard error while the main thread is blocked, because then the
// main thread cannot. Started by watchdog.ts.
import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

const { heartbeat, thresholdSeconds } = workerData;
const beats = new Int32Array(heartbeat);
let lastBeat = Atomics.load(beats, 0);
let lastChange = performance.now();
let reportedSeconds = 0;
let running = [];

parentPort.on("message", (tasks) => {
  running = tasks;
});

setInterval(() => {
  const beat = Atomics.load(beats, 0);
  const now = performance.now();
  if (beat !== lastBeat) {
    lastBeat = beat;
    lastChange = now;
    reportedSeconds = 0;
    return;
  }
  const blockedSeconds = (now - lastChange) / 1000;
  // Twice as long each time, so that a long block does not flood the log.
  if (blockedSeconds < Math.max(thresholdSeconds, reportedSeconds * 2)) return;
  reportedSeconds = blockedSeconds;
  const tasks = running.length > 0 ? `; running: ${running.join(", ")}` : "";
  writeSync(
    2,
    `toolthread: the event loop has been blocked for ${blockedSeconds.toFixed(1)} s${tasks}. ` +
      'A handler computes without awaiting; give its task type isolation: "thread".\n',
  );
}, 250);
