import { SQLiteStore } from "../../server/stores/sqlite-store.ts";
import { makeStoresWith } from "./test-engine.ts";

// The engine's main promises once more, on the store whose writes take a while and come in batches.
makeStoresWith((clock) => new SQLiteStore(":memory:", { clock }));

await import("./polling-paging.test.ts");
await import("./questions.test.ts");
await import("./cancelling-by-force.test.ts");
await import("./slots.test.ts");
await import("./approvals.test.ts");
