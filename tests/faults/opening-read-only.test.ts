import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SQLiteStore } from "../../server/stores/sqlite-store.ts";

const nobody = 65534;
const isRoot = process.getuid?.() === 0;
const obstacle = process.platform === "win32" ? "modes of files are not kept here" : null;

/** Opens the database as a user whom the modes of files bind, which they do not bind root. */
function openAsAnybody(file: string): { code: number | null; said: string } {
  const module = join(import.meta.dirname, "../../server/stores/sqlite-store.ts");
  const program = `
    const { SQLiteStore } = await import(${JSON.stringify(module)});
    try {
      await (await SQLiteStore.open(${JSON.stringify(file)})).close();
      console.log("opened");
    } catch (error) {
      console.log(error.code + " " + error.message);
    }`;
  const root = join(import.meta.dirname, "../..");
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  const options = isRoot ? { uid: nobody, gid: nobody } : {};
  const env = { ...process.env, HOME: tmpdir() };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env,
    ...options,
  });
  return { code: status, said: String(stdout) + String(stderr) };
}

test.skipIf(obstacle).each([
  ["file", 0o555, 0o444],
  ["folder", 0o555, 0o666],
])("a database in a read-only %s is not opened, and says why", async (_, folderMode, fileMode) => {
  const folder = mkdtempSync(join(tmpdir(), "toolthread-fault-"));
  const file = join(folder, "tasks.db");
  onTestFinished(() => {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true });
  });
  const store = await SQLiteStore.open(file);
  await store.close();
  chmodSync(file, fileMode);
  chmodSync(folder, folderMode);
  const { said } = openAsAnybody(file);
  expect(said).toMatch(
    /^store_unavailable The database .* cannot be used now: it (is read-only|cannot be opened)/,
  );

  chmodSync(folder, 0o777);
  for (const end of ["", ".lock"]) chmodSync(file + end, 0o666);
  expect(openAsAnybody(file).said).toBe("opened\n");
});
