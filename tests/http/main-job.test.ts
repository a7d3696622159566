import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { MemoryStore } from "../../server/stores/memory-store.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { registerBuiltInTasks } from "../../server/tasks/register.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { mainJobTests } from "../support/main-job.ts";

const stores = {
  MemoryStore: async () => new MemoryStore(),
  SQLiteStore: () => SQLiteStore.open(":memory:"),
};

describe.each(Object.entries(stores))("the main job on the Node server with %s", (_, open) => {
  let server: ApiServer;
  let store: Awaited<ReturnType<typeof open>>;

  beforeAll(async () => {
    store = await open();
    server = await startApiServer({
      store,
      register: (manager) => registerBuiltInTasks(manager, { filesRoot: "examples/logs" }),
    });
  });

  afterEach(() => expect(server.errors).toEqual([]));

  afterAll(async () => {
    await server.close();
    await store.close();
  });

  mainJobTests(() => server.url);
});
