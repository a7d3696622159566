import { useCallback, useSyncExternalStore } from "react";

/** `unknown` on the server, `missing` where the browser has no notifications for this page. */
export type PermissionState = NotificationPermission | "unknown" | "missing";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // It is changed in the browser's settings, and seen when somebody is back.
  addEventListener("focus", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("focus", listener);
  };
}

function read(): PermissionState {
  const canNotify = typeof Notification === "function" && "serviceWorker" in navigator;
  return canNotify ? Notification.permission : "missing";
}

/** Whether this browser lets the page notify, and how to ask it to. */
export function usePermission(): {
  state: PermissionState;
  ask(): Promise<PermissionState>;
} {
  const state = useSyncExternalStore<PermissionState>(subscribe, read, () => "unknown");
  const ask = useCallback(async () => {
    if (read() === "default") await Notification.requestPermission();
    for (const listener of listeners) listener();
    return read();
  }, []);
  return { state, ask };
}
