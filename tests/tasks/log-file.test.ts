import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasErrorCode } from "../../server/core/errors.ts";
import { findLogFiles, openLogFile } from "../../server/tasks/analyze-logs/log-file.ts";

let base: string;
let root: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "toolthread-"));
  root = join(base, "logs");
  await mkdir(join(root, "sub"), { recursive: true });
  await mkdir(join(base, "logs-private"));
  await writeFile(join(base, "logs-private/secret.log"), "secret\n");
  await writeFile(join(root, "app.log"), "2026-11-30 12:00:00 INFO hi\n");
  await writeFile(join(root, "sub/db.log"), "x\n");
});

afterEach(() => rm(base, { recursive: true }));

/** The rule a name breaks, and the message. */
async function refused(name: string, from = root): Promise<{ rule: unknown; message: string }> {
  try {
    await findLogFiles(from, [name]);
  } catch (error) {
    if (!hasErrorCode(error, "invalid_input")) throw error;
    expect(error.details.path).toBe(from === root ? name : from);
    return { rule: error.details.rule, message: error.message };
  }
  throw new Error(`"${name}" was accepted`);
}

describe("paths", () => {
  test("lie under the root, by whichever way they are named", async () => {
    await symlink(join(root, "app.log"), join(root, "current.log"));
    const names = [
      "app.log",
      "./sub/../app.log",
      "sub/db.log",
      join(root, "app.log"),
      "current.log",
    ];
    const files = await findLogFiles(root, names);
    // The same file is read once, under the name it was given first.
    expect(files.map(({ name }) => name)).toEqual(["app.log", "sub/db.log"]);
    expect(files[0]).toMatchObject({ bytes: 28, isCompressed: false });
  });

  test("may begin with dots that are part of a name", async () => {
    await writeFile(join(root, "..log"), "x\n");
    expect(await findLogFiles(root, ["..log"])).toHaveLength(1);
  });

  test("a root that is itself a link is followed", async () => {
    await symlink(root, join(base, "link"));
    expect(await findLogFiles(join(base, "link"), ["app.log"])).toHaveLength(1);
  });

  test.each([
    "../logs-private/secret.log",
    "sub/../../logs-private/secret.log",
    "..",
    "/etc/passwd",
    "/",
  ])("%s leaves the root", async (name) => {
    const { rule, message } = await refused(name);
    expect(rule).toBe("outside_root");
    expect(message).toContain(`"${name}" leaves the files root`);
  });

  test("a folder whose name begins like the root's is outside", async () => {
    expect((await refused(join(base, "logs-private/secret.log"))).rule).toBe("outside_root");
  });

  test("links must not lead out, be it the file or a folder on the way", async () => {
    await symlink(join(base, "logs-private/secret.log"), join(root, "out.log"));
    await symlink(join(base, "logs-private"), join(root, "out"));
    await symlink("../logs-private/secret.log", join(root, "relative.log"));
    for (const name of ["out.log", "out/secret.log", "relative.log"]) {
      const { rule, message } = await refused(name);
      expect(rule).toBe("outside_root");
      expect(message).toContain(`"${name}" is, or goes through, a symbolic link`);
    }
  });

  test("links in a circle and to nowhere", async () => {
    await symlink("b.log", join(root, "a.log"));
    await symlink("a.log", join(root, "b.log"));
    await symlink("gone.log", join(root, "dangling.log"));
    expect((await refused("a.log")).rule).toBe("not_readable");
    expect((await refused("dangling.log")).rule).toBe("missing");
  });

  test("NUL and nothing are no paths, and a message holds no control characters", async () => {
    expect(await refused("app.log\0.txt")).toEqual({
      rule: "not_a_path",
      message: '"app.log?.txt" is not a path.',
    });
    expect((await refused("")).rule).toBe("not_a_path");
    expect((await refused("a\nb.log")).message).toContain('"a?b.log"');
  });
});

describe("files", () => {
  test("a missing one names those there are", async () => {
    expect(await refused("aap.log")).toEqual({
      rule: "missing",
      message: 'There is no file "aap.log" in the files root, which has: app.log, sub.',
    });
    expect((await refused("app.log/x")).rule).toBe("missing");
  });

  test("a directory, a pipe", async () => {
    expect(await refused("sub")).toEqual({
      rule: "not_a_file",
      message: '"sub" is a directory; name the files in it.',
    });
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect((await refused("pipe")).message).toBe('"pipe" is not a regular file.');
  });

  test.skipIf(process.getuid?.() === 0)("one without permission", async () => {
    await chmod(join(root, "app.log"), 0);
    expect((await refused("app.log")).message).toContain("permission was denied");
  });

  test("a root that does not exist", async () => {
    const { rule, message } = await refused("app.log", join(base, "nowhere"));
    expect(rule).toBe("root_missing");
    expect(message).toContain("TOOLTHREAD_FILES_ROOT");
  });

  test.each([
    ["NUL bytes", Buffer.from("ELF\0\0\0x"), "is a binary file"],
    [
      "control characters",
      Buffer.from(Array.from({ length: 99 }, (_, i) => i % 9)),
      "is a binary file",
    ],
    ["xz", Buffer.from("fd377a585a0000", "hex"), "is compressed with xz"],
    ["zstd", Buffer.from("28b52ffd00", "hex"), "is compressed with zstd"],
    ["bzip2", Buffer.from("BZh91AY"), "is compressed with bzip2"],
    ["zip", Buffer.from("PK\x03\x04"), "is a zip archive"],
    ["a journal", Buffer.from("LPKSHHRH\0"), "journalctl"],
    ["gzip of a binary file", gzipSync(Buffer.alloc(50_000)), "is a binary file"],
    ["UTF-16 big-endian", Buffer.from("feff00610062", "hex"), "UTF-16 big-endian"],
  ])("%s is refused whatever its name", async (_, content, expected) => {
    await writeFile(join(root, "x.log"), content);
    const { rule, message } = await refused("x.log");
    expect(rule).toBe("binary");
    expect(message).toContain(`"x.log" `);
    expect(message).toContain(expected);
  });

  test("gzip that is broken from the start", async () => {
    await writeFile(join(root, "x.gz"), Buffer.from("1f8bffffffffffffffffffff", "hex"));
    const { rule, message } = await refused("x.gz");
    expect(rule).toBe("damaged");
    expect(message).toContain('"x.gz" begins like gzip but cannot be decompressed');
  });

  test("gzip is told by its content, not its name", async () => {
    await writeFile(
      join(root, "zipped.log"),
      gzipSync("2026-11-30 12:00:00 INFO hi\n".repeat(5000)),
    );
    await writeFile(join(root, "plain.gz"), "2026-11-30 12:00:00 INFO hi\n");
    const files = await findLogFiles(root, ["zipped.log", "plain.gz"]);
    expect(files.map(({ isCompressed }) => isCompressed)).toEqual([true, false]);
  });

  test("coloured output, an old encoding and an empty file are text", async () => {
    await writeFile(join(root, "colour.log"), "\x1b[31mERROR\x1b[0m failed\n");
    await writeFile(join(root, "latin1.log"), Buffer.from("gr\xfc\xdfe\n", "latin1"));
    await writeFile(join(root, "empty.log"), "");
    expect(await findLogFiles(root, ["colour.log", "latin1.log", "empty.log"])).toHaveLength(3);
  });
});

describe("opening what was found", () => {
  test("a file that is gone by then", async () => {
    const [file] = await findLogFiles(root, ["app.log"]);
    await rm(join(root, "app.log"));
    await expect(openLogFile(file!)).rejects.toThrow('"app.log" is gone');
  });

  test("a link put in the file's place, or in a folder's on the way, is not followed", async () => {
    const [app, db] = await findLogFiles(root, ["app.log", "sub/db.log"]);
    await rm(join(root, "app.log"));
    await symlink(join(base, "logs-private/secret.log"), join(root, "app.log"));
    await expect(openLogFile(app!)).rejects.toThrow('"app.log" is not a regular file');

    await writeFile(join(base, "logs-private/db.log"), "secret\n");
    await rename(join(root, "sub"), join(root, "sub2"));
    await symlink(join(base, "logs-private"), join(root, "sub"));
    await expect(openLogFile(db!)).rejects.toThrow('"sub/db.log" is not a regular file');
  });
});
