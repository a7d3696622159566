import type { Browser, Page } from "@playwright/test";

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of processor time. */
  tdur?: number;
  args: { name?: string };
}

/**
 * Traces a page's main thread while `work` runs. Tasks are measured in processor time: how long one
 * took by the wall clock says, on a machine that does other things, mostly what those were.
 *
 * @returns the milliseconds of each task over 50, and the frames that were drawn in a second.
 */
export async function traceMainThread(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<{ longTasks: number[]; framesPerSecond: number }> {
  await page.evaluate(() => {
    const frames = { count: 0, since: performance.now() };
    Object.assign(window, { frames });
    const count = () => {
      frames.count += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await browser.startTracing(page, {
    categories: ["toplevel", "disabled-by-default-devtools.timeline"],
  });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const framesPerSecond = await page.evaluate(() => {
    const { frames } = window as unknown as { frames: { count: number; since: number } };
    return (frames.count * 1000) / (performance.now() - frames.since);
  });
  const mains = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = trace.traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      ph === "X" && name.endsWith("RunTask") && mains.has(`${pid} ${tid}`),
  );
  if (tasks.length < 100) throw new Error(`The trace has only ${tasks.length} tasks.`);
  const longTasks = tasks.map(({ tdur = 0 }) => tdur / 1000).filter((millis) => millis > 50);
  return { longTasks, framesPerSecond };
}
