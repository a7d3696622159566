import { MemoryStore } from "../../server/stores/memory-store.ts";
import { describeStore } from "./conformance.ts";

describeStore("MemoryStore", (clock, use) => use(new MemoryStore(clock)));
