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

  static track<T>(run: () => Promise<T>): TrackedPromise<T> {
    const tracked = new TrackedPromise<T>((resolve, reject) => {
      run().then(resolve, reject);
    });
    // Handled once and for all, without counting as looked at.
    Promise.prototype.then.call(tracked, undefined, () => {});
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
