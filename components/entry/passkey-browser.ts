"use client";

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { useSyncExternalStore } from "react";
import { AuthRefusal, authCall } from "./auth-call.ts";

const neverChanges = () => () => {};

/** Whether this browser can use passkeys on this address; null while the page is not in one yet. */
export function useCanUsePasskeys(): boolean | null {
  return useSyncExternalStore(neverChanges, canUsePasskeys, () => null);
}

function canUsePasskeys(): boolean {
  // A passkey belongs to a name; addresses have none. Browsers hide the API where there is no TLS.
  const isAddress = /^[\d.]+$|:/.test(location.hostname);
  return !isAddress && window.isSecureContext && "PublicKeyCredential" in window;
}

/** Makes a passkey on this device or a key, and adds it. @throws AuthRefusal */
export async function makePasskey(name: string): Promise<void> {
  const { options, state } = await authCall<{
    options: PublicKeyCredentialCreationOptionsJSON;
    state: string;
  }>("passkeys/begin", {});
  const { startRegistration } = await import("@simplewebauthn/browser");
  const response = await startRegistration({ optionsJSON: options }).catch(refuse);
  await authCall("passkeys/add", { name, state, response });
}

/** Signs in with a passkey. @throws AuthRefusal */
export async function signInWithPasskey(): Promise<void> {
  const { options, state } = await authCall<{
    options: PublicKeyCredentialRequestOptionsJSON;
    state: string;
  }>("passkey/begin", {});
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const response = await startAuthentication({ optionsJSON: options }).catch(refuse);
  await authCall("passkey/sign-in", { state, response });
}

function refuse(error: unknown): never {
  const { name, message } = error as Error;
  if (name === "InvalidStateError") {
    throw new AuthRefusal("This device has a passkey of yours for this server already.");
  }
  // Browsers do not tell apart who cancels and who waits too long.
  if (name === "NotAllowedError" || name === "AbortError") {
    throw new AuthRefusal("It was cancelled, or took too long. Try again.");
  }
  throw new AuthRefusal(`The browser could not do this: ${message}`);
}
