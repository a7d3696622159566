"use client";

import { useMemo, useRef, useState } from "react";
import type { TaskRecord } from "@/server/core/task.ts";
import { type SteadyRows, steadyRows } from "./steady-rows.ts";

const none: ReadonlySet<string> = new Set();

/**
 * Keeps rows where they are while somebody is about to do something with them. What came meanwhile is
 * shown by `release`, and by itself once nothing is held any more.
 *
 * @param key another one begins anew, for another list.
 */
export function useSteadyRows(
  tasks: TaskRecord[],
  isHeld: boolean,
  key: string,
): SteadyRows & { release: () => void } {
  const shown = useRef<{ key: string; rows: TaskRecord[] }>({ key, rows: tasks });
  const [released, setReleased] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a release is computed anew
  const steady = useMemo<SteadyRows>(() => {
    const isOther = shown.current.key !== key || shown.current.rows.length === 0;
    if (!isHeld || isOther) return { rows: tasks, held: [], gone: none };
    return steadyRows(shown.current.rows, tasks);
  }, [tasks, isHeld, key, released]);
  shown.current = { key, rows: steady.rows };
  return {
    ...steady,
    release() {
      shown.current = { key, rows: [] };
      setReleased((count) => count + 1);
    },
  };
}
