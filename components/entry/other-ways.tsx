"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/notice.tsx";
import { authCall } from "./auth-call.ts";
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
      const next = pathAfterSignIn(new URLSearchParams(location.search).get("next"));
      const { url } = await authCall<{ url: string }>("oidc/begin", { next });
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
  const { name, begin, error } = signOn;
  const refused = useRefusal();
  if (name === null) return null;
  return (
    <div className="mt-4 flex flex-col gap-3 border-t pt-4">
      {(error ?? refused) && <FieldError>{error ?? refused}</FieldError>}
      <Button disabled={isBusy} onClick={begin}>
        Sign in with {name}
      </Button>
    </div>
  );
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
