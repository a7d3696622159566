/**
 * The server of the crash tests: the runtime, the API and the HTTP server of the product with its
 * settings from the environment, without pages, and with points at which it can be made to die.
 */
import { readSettings } from "../../server/env.ts";
import { createNodeServer } from "../../server/node-server.ts";
import { createRuntime } from "../../server/runtime.ts";
import { type Fault, FaultPoints } from "./fault-points.ts";

const faults = new FaultPoints();
faults.watchWrites();
if (process.env.CRASH_FAULT) faults.arm(JSON.parse(process.env.CRASH_FAULT) as Fault);
process.on("message", (fault: Fault) => faults.arm(fault));
process.on("disconnect", () => process.exit(1));

const settings = readSettings();
const runtime = await createRuntime(settings);
const server = createNodeServer({
  ...runtime,
  handleApi: faults.watchReplies(runtime.handleApi),
  handlePage: (_, response) => response.writeHead(404).end(),
});
process.once("SIGTERM", async () => {
  await Promise.all([server.close(5), runtime.close()]);
  process.exit(0);
});
await server.listen(settings.port, settings.host);
process.send?.("ready");
