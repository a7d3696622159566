import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { InvalidInput } from "../../core/errors.ts";
import { checkContent } from "./file-content.ts";
import { refusal, shown } from "./file-refusal.ts";

/** A log file under the root that can be read. */
export interface LogFile {
  /** As the caller named it. */
  name: string;
  /** Where it is, with every symbolic link followed. */
  path: string;
  bytes: number;
  /** Milliseconds since 1970 UTC. */
  modifiedAt: number;
  isCompressed: boolean;
}

/**
 * Finds log files under `root` and looks at their first bytes, before any of them is analysed.
 * Names are relative to the root; a file named twice, or reached by two names, is given once.
 *
 * @throws InvalidInput naming the file and, in `details.rule`, what is wrong: a path that leaves the
 *   root (by `..`, an absolute path or a symbolic link), a missing or unreadable file, a directory,
 *   a binary file.
 */
export async function findLogFiles(root: string, names: readonly string[]): Promise<LogFile[]> {
  const realRoot = await realpath(root).catch(() => {
    throw refusal("root_missing", root, "The files root (TOOLTHREAD_FILES_ROOT) does not exist.");
  });
  const files = new Map<string, LogFile>();
  for (const name of names) {
    const path = await resolveUnder(realRoot, name);
    if (files.has(path)) continue;
    const handle = await openRegularFile(path, name);
    try {
      const { size, mtimeMs } = await handle.stat();
      const isCompressed = await checkContent(handle, name);
      files.set(path, { name, path, bytes: size, modifiedAt: mtimeMs, isCompressed });
    } finally {
      await handle.close();
    }
  }
  return [...files.values()];
}

/** Opens a file found before, unless something else has taken its place. */
export async function openLogFile(file: LogFile): Promise<FileHandle> {
  return openRegularFile(file.path, file.name);
}

/** The real path of `name`. @throws InvalidInput */
async function resolveUnder(realRoot: string, name: string): Promise<string> {
  if (name === "" || name.includes("\0")) {
    throw refusal("not_a_path", name, `"${shown(name)}" is not a path.`);
  }
  const wanted = resolve(realRoot, name);
  if (!isInside(realRoot, wanted)) {
    throw refusal(
      "outside_root",
      name,
      `"${shown(name)}" leaves the files root. Give paths relative to it, as in "app.log".`,
    );
  }
  const real = await realpath(wanted).catch(async (error: NodeJS.ErrnoException) => {
    throw await unreachable(realRoot, name, error);
  });
  if (!isInside(realRoot, real)) {
    throw refusal(
      "outside_root",
      name,
      `"${shown(name)}" is, or goes through, a symbolic link that leaves the files root.`,
    );
  }
  return real;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function unreachable(
  realRoot: string,
  name: string,
  { code }: NodeJS.ErrnoException,
): Promise<InvalidInput> {
  if (code === "ENOENT" || code === "ENOTDIR") {
    const present = await namesIn(realRoot);
    return refusal(
      "missing",
      name,
      `There is no file "${shown(name)}" in the files root${present && `, which has: ${present}`}.`,
    );
  }
  const why = code === "ELOOP" ? "its symbolic links go in a circle" : `the system says ${code}`;
  return refusal("not_readable", name, `"${shown(name)}" cannot be read: ${why}.`);
}

/** What somebody who mistyped a name may want to see. */
async function namesIn(root: string): Promise<string> {
  const names = (await readdir(root).catch(() => []))
    .filter((name) => !name.startsWith("."))
    .sort();
  const listed = names.slice(0, 20).join(", ");
  return names.length > 20 ? `${listed} and ${names.length - 20} more` : listed;
}

async function openRegularFile(path: string, name: string): Promise<FileHandle> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    throw refusal("missing", name, `"${shown(name)}" is gone: the system says ${error.code}.`);
  });
  if (!found.isFile()) throw notAFile(name, found.isDirectory());
  // The path has no link left to follow: one that appears now is somebody's trick. A pipe put in
  // the file's place would otherwise hold up the opening for ever.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
    ({ code }: NodeJS.ErrnoException) => {
      const why = code === "EACCES" ? "permission was denied" : `the system says ${code}`;
      throw refusal("not_readable", name, `"${shown(name)}" cannot be read: ${why}.`);
    },
  );
  const [opened, real, there] = await Promise.all([handle.stat(), realpath(path), stat(path)]);
  const isSame = real === path && opened.ino === there.ino && opened.dev === there.dev;
  if (isSame && opened.isFile()) return handle;
  await handle.close();
  throw notAFile(name, opened.isDirectory());
}

function notAFile(name: string, isDirectory: boolean): InvalidInput {
  const what = isDirectory ? "a directory; name the files in it" : "not a regular file";
  return refusal("not_a_file", name, `"${shown(name)}" is ${what}.`);
}
