"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/notice.tsx";
import { authCall } from "./auth-call.ts";
import { signInWithPasskey, useCanUsePasskeys } from "./passkey-browser.ts";
import { pathAfterSignIn } from "./path-after-sign-in.ts";
import { signOnText } from "./sign-on-texts.ts";

/** Signing in at the provider of this server, if it has one. */
export function useSignOn() {
  const ways = useQuery({
    queryKey: ["ways"],
    queryFn: () => authCall<{ signOn: { name: string } | null }>("ways", {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const begin = useMutation({
    mutationFn: async () => {
      const { url } = await authCall<{ url: string }>("oidc/begin", { next: nextPath() });
      location.assign(url);
    },
  });
  return {
    name: ways.data?.signOn?.name ?? null,
    begin: () => begin.mutate(),
    error: begin.error?.message ?? null,
    isBusy: begin.isPending || begin.isSuccess,
  };
}

/** The ways to sign in beside a password, and why the last try did not lead here. */
export function OtherWays({
  signOn,
  isBusy,
}: {
  signOn: ReturnType<typeof useSignOn>;
  isBusy: boolean;
}) {
  const canUsePasskeys = useCanUsePasskeys();
  const passkey = useMutation({
    mutationFn: signInWithPasskey,
    // A full load: nothing that was fetched before is kept.
    onSuccess: () => location.replace(nextPath()),
  });
  const refused = useRefusal();
  const error = signOn.error ?? passkey.error?.message ?? refused;
  if (signOn.name === null && !canUsePasskeys && refused === null) return null;
  const isWaiting = isBusy || passkey.isPending || passkey.isSuccess;
  return (
    <div className="mt-4 flex flex-col gap-3 border-t pt-4">
      {error && <FieldError>{error}</FieldError>}
      {signOn.name !== null && (
        <Button disabled={isWaiting} onClick={signOn.begin}>
          <span>
            Sign in with <bdi>{signOn.name}</bdi>
          </span>
        </Button>
      )}
      {canUsePasskeys && (
        <Button disabled={isWaiting} onClick={() => passkey.mutate()}>
          <KeyRound aria-hidden="true" />
          Sign in with a passkey
        </Button>
      )}
    </div>
  );
}

function nextPath(): string {
  return pathAfterSignIn(new URLSearchParams(location.search).get("next"));
}

const neverChanges = () => () => {};

function useRefusal(): string | null {
  // Only in the browser: the page is the same for everybody when it is built.
  const search = useSyncExternalStore(
    neverChanges,
    () => location.search,
    () => "",
  );
  return signOnText(new URLSearchParams(search).get("refused"));
}
