const silentSeconds = 2;

// What a proxy says while the server behind it is away, and a server that starts or stops.
const awayStatuses = new Set([502, 503, 504]);

/**
 * A `fetch` that tells, once, when the server has not answered for two seconds: from the first call on,
 * or after one that failed. A call that takes its time at a server that answers is no such silence.
 */
export function noticedWaiting(onWaiting: () => void): typeof fetch {
  let isAnswering = false;
  let isTold = false;
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    isTold = true;
    onWaiting();
  };
  const missAnswer = () => {
    isAnswering = false;
    if (!isTold) timer ??= setTimeout(tell, silentSeconds * 1000).unref();
  };
  const hearAnswer = () => {
    isAnswering = true;
    clearTimeout(timer);
    timer = undefined;
  };
  return async (input, init) => {
    if (!isAnswering) missAnswer();
    try {
      const response = await fetch(input, init);
      if (awayStatuses.has(response.status)) missAnswer();
      else hearAnswer();
      return response;
    } catch (error) {
      if ((error as Error).name !== "AbortError") missAnswer();
      throw error;
    }
  };
}
