/**
 * Next calls this once when it starts, before the first request. Under the project's own server the
 * runtime is there already; under plain `next start` and `next dev` this starts it.
 */
export async function register(): Promise<void> {
  const { sharedRuntime } = await import("./server/runtime.ts");
  await sharedRuntime();
}
