/**
 * A promise that knows whether anybody looks at it. A handler may ignore what `ctx` returns: that
 * never crashes the process, and a failure nobody looked at fails the attempt instead.
 */
export class TrackedPromise<T> extends Promise<T> {
  // Promise methods build their results through this; plain promises are enough for those.
  static override get [Symbol.species]() {
    return Promise;
  }

  isObserved = false;

  /**
   * Runs `run` and follows it. `onSettled` is told once it has settled, with the failure if it
   * failed; neither counts as looking at it. What it resolves to, `toResult` makes of the value.
   */
  static track<T, R = T>(
    run: () => Promise<T>,
    onSettled: (call: TrackedPromise<R>, failure: { error: unknown } | null) => void,
    toResult: (value: T) => R = (value) => value as unknown as R,
  ): TrackedPromise<R> {
    const tracked = new TrackedPromise<R>((resolve, reject) => {
      start(run).then(
        (value) => {
          resolve(toResult(value));
          onSettled(tracked, null);
        },
        (error: unknown) => {
          // Handled here once and for all, so that ignoring it never crashes the process.
          Promise.prototype.then.call(tracked, undefined, () => {});
          reject(error);
          onSettled(tracked, { error });
        },
      );
    });
    return tracked;
  }

  // `await` on a subclass goes through here, as do catch, finally and Promise.all.
  // biome-ignore lint/suspicious/noThenProperty: overriding it is how being awaited is noticed
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isObserved = true;
    return super.then(onFulfilled, onRejected);
  }
}

/** A function that throws at once fails like one whose promise rejects. */
function start<T>(run: () => Promise<T>): Promise<T> {
  try {
    return run();
  } catch (error) {
    return Promise.reject(error);
  }
}
