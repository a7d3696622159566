import { type ChildProcess, spawn } from "node:child_process";

const graceSeconds = 10;

/**
 * A command with everything it started: a group of processes of its own, which ends with this
 * program whatever ends that. Signals reach it also when the command itself has ended and something
 * it started goes on.
 */
export class ProcessGroup {
  readonly #groupId: number | null;
  readonly #onKilled: () => void;
  readonly #guard: ChildProcess | null;
  #isStopped = false;
  #isCancelled = false;
  #isOver = false;

  /**
   * @param leader spawned `detached`.
   * @param onKilled called a moment after it was killed: whoever then still holds its output has left
   *   the group, and nobody is to wait for that one.
   */
  constructor(leader: ChildProcess, onKilled: () => void) {
    this.#groupId = leader.pid ?? null;
    this.#onKilled = onKilled;
    this.#guard = this.#groupId === null ? null : startGuard(this.#groupId);
  }

  /** Whether it was asked to end. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** @returns false when there is nobody left to hear it. */
  signal(signal: NodeJS.Signals): boolean {
    if (this.#isOver) return false;
    this.#isStopped ||= signal !== "SIGHUP";
    this.#send(signal);
    return true;
  }

  /** Asks it to end, and ends it when it does not; also when a signal had asked it before. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.signal("SIGTERM");
    setTimeout(() => {
      if (this.#isOver) return;
      this.#send("SIGKILL");
      setTimeout(this.#onKilled, 500).unref();
    }, graceSeconds * 1000).unref();
  }

  /** Nothing is left of it that counts: its number may be another one's from now on. */
  isOver(): void {
    this.#isOver = true;
    this.#guard?.kill("SIGKILL");
  }

  #send(signal: NodeJS.Signals): void {
    if (this.#groupId === null || this.#isOver) return;
    try {
      process.kill(-this.#groupId, signal);
    } catch {
      // It has just ended.
    }
  }
}

/**
 * Ends a group of processes when this program is gone without a word, as after `kill -9`. It waits at a
 * pipe that closes with this program, and takes next to no memory.
 */
function startGuard(groupId: number): ChildProcess | null {
  if (process.platform === "win32") return null;
  const script =
    'read -r _; kill -TERM "-$1" 2>/dev/null || exit; ' +
    'n=0; while [ $n -lt "$2" ]; do sleep 1; kill -0 "-$1" 2>/dev/null || exit; n=$((n + 1)); done; ' +
    'kill -KILL "-$1"';
  const guard = spawn(
    "/bin/sh",
    ["-c", script, "toolthread-guard", `${groupId}`, `${graceSeconds}`],
    {
      stdio: ["pipe", "ignore", "ignore"],
      // Not to be ended by what ends this program.
      detached: true,
    },
  );
  // Without it everything works but this.
  guard.on("error", () => {});
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}
