import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The secret that signs sessions and encrypts secret values, kept in the data folder so that both
 * outlive a restart. Made when there is none; only the server's user can read it.
 */
export async function sessionSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, "secret");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const secret = (await readFile(file, "utf8")).trim();
  if (secret.length >= 32) return secret;
  throw new Error(`${file} holds no usable secret. Delete it, and the next start makes another.`);
}

/** The secret in the data folder; null when there is none. */
export async function keptSecret(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(join(dataDir, "secret"), "utf8")).trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
