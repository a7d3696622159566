import { type ComponentType, lazy } from "react";

const firstPauseMillis = 500;
const longestPauseMillis = 8000;

/**
 * Loads a part of the page, for as long as it takes: while the server cannot be reached its place is
 * held, and what is on the page stays.
 */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (let pause = firstPauseMillis; ; pause = Math.min(pause * 2, longestPauseMillis)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** A component that is loaded when it is first shown, {@link patiently}. */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => patiently(load));
}
