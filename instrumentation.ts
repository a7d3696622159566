/**
 * Next calls this once when it starts, before the first request. Under the project's own server the
 * runtime is there already; under plain `next start` this starts it, from the compiled server: it
 * is one program, and Next's bundler has no part in it.
 */
export async function register(): Promise<void> {
  // Next replaces the variable when it builds, and leaves the branch out of its edge bundle.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { hasSharedRuntime } = await import("./server/shared-runtime.ts");
    if (hasSharedRuntime()) return;
    const file = new URL("dist/server/plain-next.js", `file://${process.cwd()}/`).href;
    const { servePlainNext } = await importAtRunTime<typeof import("./server/plain-next.ts")>(file);
    await servePlainNext();
  }
}

async function importAtRunTime<Module>(file: string): Promise<Module> {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ file);
  } catch (error) {
    throw new Error("The server is not built: run `npm run build`, or `npm run dev`.", {
      cause: error,
    });
  }
}
