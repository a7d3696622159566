import type { Server } from "node:http";
import { AccessRules } from "../../server/adapters/http/access-rules.ts";
import { type ApiHandler, createApiHandler } from "../../server/adapters/http/api-handler.ts";
import type { DurableTaskStore } from "../../server/core/durable-task-store.ts";
import { systemClock } from "../../server/core/system-clock.ts";
import { toTimestamp } from "../../server/core/timestamp.ts";
import { TaskManager } from "../../server/engine/task-manager.ts";
import type { Identity } from "../../server/identity/identity.ts";
import { ServerMetrics } from "../../server/metrics/server-metrics.ts";
import { createNodeServer } from "../../server/node-server.ts";
import type { PushSender } from "../../server/push/push-sender.ts";
import { EmbeddedQueue } from "../../server/queue/embedded-queue.ts";
import { MemoryStore } from "../../server/stores/memory-store.ts";

export interface ApiServer {
  url: string;
  port: number;
  manager: TaskManager;
  http: Server;
  handleApi: ApiHandler;
  /** What the server logged as an error: a test that expects none asserts that it is empty. */
  errors: unknown[];
  close(): Promise<void>;
}

export interface ApiServerOptions {
  store?: DurableTaskStore;
  apiKey?: string | null;
  allowedHosts?: string[];
  /** Has people sign in; nobody does when not given. */
  identity?(manager: TaskManager): Promise<Identity>;
  /** Tells browsers; none does when not given. */
  push?(manager: TaskManager): Promise<PushSender>;
  port?: number;
  register?(manager: TaskManager): void;
}

/** The project's server in this process, on any free port, without pages. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const store = options.store ?? new MemoryStore();
  const errors: unknown[] = [];
  const log = {
    info() {},
    warn() {},
    error: (message: string, data?: unknown) => errors.push({ message, data }),
  };
  const queue = new EmbeddedQueue({ store, clock: systemClock });
  const metrics = new ServerMetrics("0.0.0-test");
  const manager = new TaskManager({ store, queue, log });
  metrics.watch(store);
  options.register?.(manager);
  await manager.ready();
  const push = (await options.push?.(manager)) ?? null;
  const access = new AccessRules(options.allowedHosts ?? []);
  const closing = new AbortController();
  const handleApi = createApiHandler({
    manager,
    version: "0.0.0-test",
    startedAt: toTimestamp(systemClock.now()),
    closing: closing.signal,
    access,
    identity: (await options.identity?.(manager)) ?? {
      apiKey: options.apiKey ?? null,
      secret: "a secret for tests only",
    },
    metrics,
    push,
    log,
  });
  const server = createNodeServer({
    handleApi,
    access,
    handlePage: (_, response) => response.end("a page"),
  });
  const port = await server.listen(options.port ?? 0, "127.0.0.1");
  const close = async () => {
    closing.abort();
    push?.stop();
    await Promise.all([server.close(2), manager.drain()]);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    manager,
    http: server.http,
    handleApi,
    errors,
    close,
  };
}
