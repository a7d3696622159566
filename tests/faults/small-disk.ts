import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of a few megabytes that a test can fill up. */
export class SmallDisk {
  readonly folder: string;
  readonly #filler: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#filler = join(folder, "filler");
  }

  /** Why there can be none here; null when there can. */
  static obstacle(): string | null {
    if (process.platform !== "linux") return "a tmpfs needs Linux";
    if (process.getuid?.() !== 0) return "mounting a tmpfs needs root";
    try {
      SmallDisk.mount(1).unmount();
      return null;
    } catch (error) {
      return `a tmpfs cannot be mounted here: ${(error as Error).message.split("\n")[0]}`;
    }
  }

  static mount(megabytes: number): SmallDisk {
    const folder = mkdtempSync(join(tmpdir(), "toolthread-disk-"));
    try {
      const options = ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder];
      execFileSync("mount", options, { stdio: "pipe" });
    } catch (error) {
      rmdirSync(folder);
      throw error;
    }
    return new SmallDisk(folder);
  }

  /** Takes all the room that is left. */
  fill(): void {
    const file = openSync(this.#filler, "a");
    const block = Buffer.alloc(4096);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  makeRoom(): void {
    rmSync(this.#filler);
  }

  unmount(): void {
    execFileSync("umount", ["-l", this.folder], { stdio: "pipe" });
    rmdirSync(this.folder);
  }
}
