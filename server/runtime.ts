import { AccessRules } from "./adapters/http/access-rules.ts";
import { type ApiHandler, createApiHandler } from "./adapters/http/api-handler.ts";
import type { DurableTaskStore } from "./core/durable-task-store.ts";
import { systemClock } from "./core/system-clock.ts";
import { toTimestamp } from "./core/timestamp.ts";
import type { EngineLog } from "./engine/engine-log.ts";
import { TaskManager } from "./engine/task-manager.ts";
import { Watchdog } from "./engine/watchdog.ts";
import { readSettings, type Settings } from "./env.ts";
import { noteIdentityEvent } from "./identity/audit-identity.ts";
import { Identity } from "./identity/identity.ts";
import { ServerMetrics } from "./metrics/server-metrics.ts";
import { openPush } from "./open-push.ts";
import { openSecretBox } from "./open-secret-box.ts";
import type { PushSender } from "./push/push-sender.ts";
import { EmbeddedQueue } from "./queue/embedded-queue.ts";
import { createServerLog } from "./server-log.ts";
import { sessionSecret } from "./session-secret.ts";
import { startSharedRuntime } from "./shared-runtime.ts";
import { SQLiteStore } from "./stores/sqlite-store.ts";
import { registerBuiltInTasks } from "./tasks/register.ts";
import { registerUserTasks } from "./user-tasks.ts";
import { version } from "./version.ts";

/** Everything one process serves with. */
export interface Runtime {
  settings: Settings;
  manager: TaskManager;
  access: AccessRules;
  /** Answers what is below `/api`. */
  handleApi: ApiHandler;
  /** Of the link that makes the first admin; null when there is one, or nobody signs in. */
  setUpToken: string | null;
  /** Whether the pages are for whoever sent these headers. They hold no data of their own. */
  admitsPage(headers: Headers): Promise<boolean>;
  /**
   * Answers waiting polls, ends streams, and gives running tasks back after a grace. Safe to call
   * twice.
   */
  drain(): Promise<void>;
  /** Drains and closes the store, which responses under way need until they are out. */
  close(): Promise<void>;
}

/**
 * Opens the store (which brings the database up to date), registers the task types and begins to
 * take work.
 *
 * @param given replaces parts for tests.
 * @throws InvalidSettings, StoreLocked, MigrationRefused
 */
export async function createRuntime(
  settings: Settings,
  given: { store?: DurableTaskStore; log?: EngineLog } = {},
): Promise<Runtime> {
  const log = given.log ?? createServerLog(settings.logLevel);
  const startedAt = toTimestamp(systemClock.now());
  const secret = settings.secret ?? (await sessionSecret(settings.dataDir));
  const metrics = new ServerMetrics(version);
  const onWrite = metrics.countWrite;
  const store = given.store ?? (await SQLiteStore.open(settings.databaseFile, { onWrite }));
  const onError = (error: unknown) => log.error("The queue failed", { error: String(error) });
  const queue = new EmbeddedQueue({ store, clock: systemClock, onError });
  const secrets = await openSecretBox(settings, secret, store).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const manager = new TaskManager({
    store,
    queue,
    log,
    secrets,
    concurrency: settings.concurrency,
    leaseSeconds: settings.leaseSeconds,
    retainSeconds: settings.retainSeconds ?? undefined,
  });
  metrics.watch(store);
  const watchdog = new Watchdog({
    log,
    runningTasks: () => manager.runningTasks().map(({ type, taskId }) => `${type} ${taskId}`),
  });
  const access = new AccessRules([settings.host.toLowerCase(), ...settings.allowedHosts]);
  const closing = new AbortController();
  let drained: Promise<void> | null = null;
  let closed: Promise<void> | null = null;
  const drain = () => {
    closing.abort();
    push?.stop();
    drained ??= manager.drain(settings.drainSeconds);
    return drained;
  };
  const close = async () => {
    await drain();
    await watchdog.stop();
    await store.close();
  };
  let identity: Identity | null = null;
  let push: PushSender | null = null;
  let setUpToken: string | null = null;
  try {
    registerBuiltInTasks(manager, { filesRoot: settings.filesRoot });
    if (settings.tasksModule) await registerUserTasks(manager, settings.tasksModule);
    if (settings.auth === "sign_in") {
      identity = await openIdentity(settings, { store, manager, log, secret });
      setUpToken = await identity.people.makeSetUpToken();
    }
    push = await openPush(settings, { store, manager, log, identity });
    push?.start();
    await manager.ready();
    watchdog.start();
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    settings,
    manager,
    access,
    handleApi: createApiHandler({
      manager,
      version,
      startedAt,
      closing: closing.signal,
      access,
      identity: identity ?? { apiKey: settings.apiKey, secret },
      metrics,
      push,
      log,
    }),
    setUpToken,
    admitsPage: (headers) => admitsPage(identity, headers),
    drain,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function openIdentity(
  { apiKey, admin, signOn, callsPerSecond, openCalls }: Settings,
  parts: { store: DurableTaskStore; manager: TaskManager; log: EngineLog; secret: string },
): Promise<Identity> {
  const { store, manager, log, secret } = parts;
  if (!(store instanceof SQLiteStore)) throw new Error("Identities need a SQLiteStore.");
  const identity = await Identity.open({
    store: await store.identity(),
    clock: systemClock,
    log,
    secret,
    apiKey,
    signOn,
    callsPerSecond,
    maxOpenCalls: openCalls,
    rulesInCode: () => manager.typeRules(),
    onEvent: (event) => void noteIdentityEvent(manager.audit, event, log),
  });
  if (admin) await identity.people.ensureAdmin(admin);
  return identity;
}

async function admitsPage(identity: Identity | null, headers: Headers): Promise<boolean> {
  if (identity === null) return true;
  try {
    return (await identity.sessions.authenticate(headers, { address: null })) !== null;
  } catch {
    return false;
  }
}

/** The runtime of this process, with the settings of its environment. */
export function sharedRuntime(): Promise<Runtime> {
  return startSharedRuntime(() => createRuntime(readSettings()));
}
