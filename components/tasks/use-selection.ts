"use client";

import { useCallback, useMemo, useRef, useState } from "react";

/** The tasks that something is to be done to. */
export interface Selection {
  ids: ReadonlySet<string>;
  set: (ids: Iterable<string>) => void;
  /** @param isRange with all between it and the one that was last selected or not. */
  toggle: (taskId: string, isRange: boolean) => void;
}

/** @param keys all rows in their order, for ranges. @param scope another one begins anew. */
export function useSelection(keys: readonly string[], scope: string): Selection {
  const [state, setState] = useState<{ scope: string; ids: ReadonlySet<string> }>({
    scope,
    ids: new Set(),
  });
  const latest = useRef({ keys, last: null as string | null });
  latest.current.keys = keys;
  const set = useCallback(
    (ids: Iterable<string>) => setState({ scope, ids: new Set(ids) }),
    [scope],
  );
  const toggle = useCallback(
    (taskId: string, isRange: boolean) => {
      const { keys, last } = latest.current;
      latest.current.last = taskId;
      setState((now) => {
        const ids = new Set(now.scope === scope ? now.ids : []);
        const isOn = !ids.has(taskId);
        for (const id of isRange ? between(keys, last, taskId) : [taskId]) {
          if (isOn) ids.add(id);
          else ids.delete(id);
        }
        return { scope, ids };
      });
    },
    [scope],
  );
  return useMemo(
    () => ({ ids: state.scope === scope ? state.ids : none, set, toggle }),
    [state, scope, set, toggle],
  );
}

const none: ReadonlySet<string> = new Set();

function between(keys: readonly string[], from: string | null, to: string): string[] {
  const places = [keys.indexOf(from ?? to), keys.indexOf(to)].sort((a, b) => a - b);
  const [first = 0, last = 0] = places;
  return first < 0 ? [to] : keys.slice(first, last + 1);
}
