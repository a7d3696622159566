/** Runs `work` at once, and when asked again too soon, once more at the end of the pause. */
export function paced(pauseMillis: number, work: () => void): { run(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isAsked = false;
  const run = () => {
    if (timer !== null) {
      isAsked = true;
      return;
    }
    work();
    timer = setTimeout(() => {
      timer = null;
      if (isAsked) {
        isAsked = false;
        run();
      }
    }, pauseMillis);
  };
  return {
    run,
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      isAsked = false;
    },
  };
}
