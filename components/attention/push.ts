import { api } from "../api/api-client.ts";
import { attentionSettings } from "./attention-settings.ts";

/** Whether this browser can be told while no page is open. */
export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window;
}

/**
 * Has this browser told of what it is set to, as it is set now. Subscribes where it is not yet, or
 * where the server's key has changed.
 *
 * @throws when the browser or its push service refuses.
 */
export async function subscribeToPush(worker: ServiceWorkerRegistration): Promise<void> {
  const { publicKey } = await api.push.key.query();
  if (publicKey === null) throw new Error("This server does not push.");
  const { urgencies, types } = attentionSettings();
  const subscription = (await withKey(worker, publicKey)).toJSON();
  await api.push.put.mutate({
    endpoint: subscription.endpoint ?? "",
    keys: { p256dh: subscription.keys?.p256dh ?? "", auth: subscription.keys?.auth ?? "" },
    urgencies,
    types,
  });
}

/** Ends it, here and on the server. */
export async function unsubscribeFromPush(worker: ServiceWorkerRegistration): Promise<void> {
  const subscription = await worker.pushManager.getSubscription();
  if (!subscription) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await api.push.remove.mutate({ endpoint });
}

async function withKey(worker: ServiceWorkerRegistration, key: string): Promise<PushSubscription> {
  const known = await worker.pushManager.getSubscription();
  if (known && toText(known.options.applicationServerKey) === key) return known;
  await known?.unsubscribe();
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

function toText(key: ArrayBuffer | null): string {
  const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
