import type { DurableTaskStore } from "./core/durable-task-store.ts";
import type { SecretBox } from "./core/secret-box.ts";
import { secretBox } from "./engine/aes-secret-box.ts";
import { InvalidSettings, lostSecrets, type Settings } from "./env.ts";
import { keptSecret } from "./session-secret.ts";

/**
 * What secret values are encrypted with. It opens with earlier secrets too, and with the one in the
 * data folder when a setting has taken its place.
 *
 * @throws InvalidSettings when unfinished tasks have values that none of them opens.
 */
export async function openSecretBox(
  settings: Pick<Settings, "dataDir" | "oldSecrets">,
  secret: string,
  store: DurableTaskStore,
): Promise<SecretBox> {
  const kept = await keptSecret(settings.dataDir);
  const older = [...(settings.oldSecrets ?? []), ...(kept === null ? [] : [kept])];
  const box = secretBox({ secret, oldSecrets: older.filter((each) => each !== secret) });
  if (settings.oldSecrets === null) return box;
  const sealing = await store.listSealingKeys();
  if (sealing.every((keyId) => box.keyIds.includes(keyId))) return box;
  throw new InvalidSettings([
    "TOOLTHREAD_SECRET, or the secret in the data folder, is another one than unfinished tasks have " +
      "secret values encrypted with. List the earlier one in TOOLTHREAD_OLD_SECRETS. If it is lost, " +
      `set TOOLTHREAD_OLD_SECRETS=${lostSecrets}: those tasks then fail, and everything else goes on.`,
  ]);
}
