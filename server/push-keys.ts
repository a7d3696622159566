import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import webPush from "web-push";
import { z } from "zod";
import type { PushKeys } from "./push/push-sender.ts";

const keysSchema = z.object({ publicKey: z.string().min(1), privateKey: z.string().min(1) });

/**
 * The keys by which push services know this server, kept in the data folder beside its secret: with
 * others, every browser would have to subscribe anew. Made when there are none.
 */
export async function pushKeys(dataDir: string): Promise<PushKeys> {
  const file = join(dataDir, "push-keys.json");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    const made = JSON.stringify(webPush.generateVAPIDKeys());
    await writeFile(file, made, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const read = keysSchema.safeParse(parsed(await readFile(file, "utf8")));
  if (read.success) return read.data;
  throw new Error(`${file} holds no usable keys. Delete it, and the next start makes others.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
