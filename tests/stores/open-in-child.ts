/** Opens a store in a process of its own, says how that went, and holds it until it is killed. */
import { describeThrown } from "../../server/core/errors.ts";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";

const [path = ""] = process.argv.slice(2);
try {
  const store = await SQLiteStore.open(path);
  await store.createTask("task_of_child", "demo", {});
  process.stdout.write("open\n");
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${describeThrown(error)}\n`);
}
