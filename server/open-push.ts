import { Access } from "./core/access.ts";
import type { DurableTaskStore } from "./core/durable-task-store.ts";
import { systemClock } from "./core/system-clock.ts";
import type { EngineLog } from "./engine/engine-log.ts";
import type { TaskManager } from "./engine/task-manager.ts";
import type { Settings } from "./env.ts";
import type { Identity } from "./identity/identity.ts";
import { PushSender } from "./push/push-sender.ts";
import { pushKeys } from "./push-keys.ts";
import { SQLiteStore } from "./stores/sqlite-store.ts";

// Where nobody signs in, everybody on this machine may do everything.
const everybody = new Access({ kind: "person", role: "admin", groups: [] });

/** What tells browsers of questions; null where they, or its keys, cannot be kept. */
export async function openPush(
  { dataDir, pushContact }: Settings,
  parts: {
    store: DurableTaskStore;
    manager: TaskManager;
    log: EngineLog;
    identity: Identity | null;
  },
): Promise<PushSender | null> {
  const { store, manager, log, identity } = parts;
  if (!(store instanceof SQLiteStore)) return null;
  const keys = await pushKeys(dataDir).catch((error: unknown) => {
    // The database may be elsewhere, and this folder not to be written.
    log.warn("Nothing is pushed: its keys cannot be kept", { error: String(error) });
    return null;
  });
  if (keys === null) return null;
  return new PushSender({
    store: await store.pushTargets(),
    manager,
    keys,
    contact: pushContact,
    clock: systemClock,
    log,
    accessOf: (personId) => (identity ? identity.accessOf(personId) : everybody),
  });
}
