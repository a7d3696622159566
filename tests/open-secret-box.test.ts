import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { InvalidSettings, readSettings } from "../server/env.ts";
import { MemoryStore, secretBox } from "../server/index.ts";
import { openSecretBox } from "../server/open-secret-box.ts";
import { sessionSecret } from "../server/session-secret.ts";
import { StoreKit } from "./stores/store-kit.ts";
import { testClock } from "./support/test-clock.ts";

const first = "the first secret of all";
const second = "the second secret of all";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolthread-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A store with a task under way that has a secret sealed with the first secret. */
async function storeWithSecret() {
  const clock = testClock();
  const kit = new StoreKit(new MemoryStore(clock), clock);
  const sealedParams = secretBox({ secret: first }).seal("x", "p");
  const { taskId, epoch } = await kit.running({ params: { token: "•••" }, sealedParams });
  return { store: kit.store, finish: () => kit.finish(taskId, epoch) };
}

test("the server does not start without a secret that unfinished tasks need, unless it is lost", async () => {
  const dataDir = await emptyFolder();
  const { store, finish } = await storeWithSecret();
  const open = (oldSecrets: string[] | null) =>
    openSecretBox({ dataDir, oldSecrets }, second, store);
  await expect(open([])).rejects.toThrow(InvalidSettings);
  await expect(open([])).rejects.toThrow(/TOOLTHREAD_OLD_SECRETS=lost/);
  expect((await open([first])).keyIds).toHaveLength(2);
  expect((await open(null)).keyIds).toHaveLength(1);
  await finish();
  expect((await open([])).keyIds).toHaveLength(1);
});

test("the secret in the data folder still opens when a setting has taken its place", async () => {
  const dataDir = await emptyFolder();
  await writeFile(join(dataDir, "secret"), `${first}\n`);
  const { store } = await storeWithSecret();
  const box = await openSecretBox({ dataDir, oldSecrets: [] }, second, store);
  expect(box.keyIds).toEqual(
    [secretBox({ secret: second }), secretBox({ secret: first })].flatMap(({ keyIds }) => keyIds),
  );
});

test("a first start makes a secret that only the server's user can read", async () => {
  const dataDir = await emptyFolder();
  const secret = await sessionSecret(dataDir);
  expect(await readFile(join(dataDir, "secret"), "utf8")).toBe(secret);
  const box = await openSecretBox({ dataDir, oldSecrets: [] }, secret, new MemoryStore());
  expect(box.keyIds).toHaveLength(1);
});

test("old secrets are a list, or lost", () => {
  const read = (text: string) => readSettings({ TOOLTHREAD_OLD_SECRETS: text }).oldSecrets;
  expect(read(`${first}, ${second},`)).toEqual([first, second]);
  expect(read(" lost ")).toBeNull();
  expect(() => read("short")).toThrow(/TOOLTHREAD_OLD_SECRETS must be earlier values/);
});
