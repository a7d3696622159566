import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { SqliteConnection } from "../../server/stores/sqlite-connection.ts";
import { expectToOutlast, FaultyServer } from "./faulty-server.ts";
import { SmallDisk } from "./small-disk.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

async function serverInFolder(): Promise<{ server: FaultyServer; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), "toolthread-fault-"));
  const file = join(folder, "toolthread.db");
  const server = await FaultyServer.start(file);
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return { server, file };
}

const noSmallDisk = SmallDisk.obstacle();

test.skipIf(noSmallDisk)(
  `a disk that is full${noSmallDisk ? ` (skipped: ${noSmallDisk})` : ""}`,
  async () => {
    const disk = SmallDisk.mount(4);
    const server = await FaultyServer.start(join(disk.folder, "toolthread.db"));
    onTestFinished(async () => {
      await server.close();
      disk.unmount();
    });
    await expectToOutlast(server, {
      // Moving the log into the database makes room for a while: filled until there is none.
      async begin() {
        for (let refusals = 0; refusals < 5; ) {
          disk.fill();
          const { status } = await server.rest.post("/tasks", { type: "no such type" });
          expect(status).toBe(400);
          refusals = (await server.health()).status === 503 ? refusals + 1 : 0;
        }
      },
      end: () => disk.makeRoom(),
      reason: /the disk is full; make room/,
    });
  },
  90_000,
);

/** Another program that holds the write lock until it is told to let go. */
async function holdLock(file: string): Promise<() => Promise<void>> {
  const program = `
    const database = new (require("better-sqlite3"))(${JSON.stringify(file)});
    const take = () => {
      try { database.exec("BEGIN IMMEDIATE"); process.stdout.write("locked"); }
      catch { setTimeout(take, 1); }
    };
    take();
    process.stdin.on("data", () => process.exit(0)).on("end", () => process.exit(0));`;
  const child = spawn(process.execPath, ["-e", program], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return async () => {
    child.stdin.end();
    await exited;
  };
}

test("a database that another program has locked", async () => {
  const { server, file } = await serverInFolder();
  let letGo = async () => {};
  await expectToOutlast(server, {
    async begin() {
      letGo = await holdLock(file);
    },
    end: () => letGo(),
    reason: /another program holds a lock on it/,
  });
}, 90_000);

// A running process keeps its right to write to a file it has open, whoever it is; so what SQLite
// says of a file system that became read-only, or of a device that fails, is put in its place.
test.each([
  ["SQLITE_READONLY", /it is read-only; give this user the right to write/],
  ["SQLITE_IOERR_WRITE", /the disk reports an input\/output error/],
])(
  "a database that answers every write with %s",
  async (code, reason) => {
    const { server } = await serverInFolder();
    const { run } = SqliteConnection.prototype;
    const failing = Object.assign(new Error(code), { originalCode: code });
    await expectToOutlast(server, {
      begin() {
        vi.spyOn(SqliteConnection.prototype, "run").mockImplementation(function (
          this: SqliteConnection,
          sql,
          ...args
        ) {
          const isWrite = !/^(BEGIN|ROLLBACK|COMMIT)/.test(sql);
          return isWrite ? Promise.reject(failing) : run.call(this, sql, ...args);
        });
      },
      end: () => void vi.restoreAllMocks(),
      reason,
    });
  },
  90_000,
);
