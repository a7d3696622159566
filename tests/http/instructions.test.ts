import { afterAll, beforeAll, expect, test } from "vitest";
import { type IdentityServer, startIdentityServer } from "../support/identity-server.ts";

let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer({
    register(manager) {
      manager.registerTask({ type: "deploy", description: "Deploys it." }, () => 1);
      manager.registerTask({ type: "payout", description: "Pays." }, () => 1);
    },
  });
});

afterAll(() => server.close());

test("the instructions are of the task types that the key may start", async () => {
  const { headers } = await server.agent({ start: ["deploy"] });
  const answer = await server.send("/api/v1/instructions", headers);
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toContain("text/markdown");
  expect(answer.body).toContain("`deploy`: Deploys it");
  expect(answer.body).not.toContain("payout");
  expect(answer.body).toContain("poll_task");
});

test("nobody gets them without a key", async () => {
  expect((await server.send("/api/v1/instructions")).status).toBe(401);
});
