"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { authCall } from "../entry/auth-call.ts";
import { signOnText } from "../entry/sign-on-texts.ts";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";

/** Connecting the account here with one at the provider of this server. */
export function SignOnSection({ name, isConnected }: { name: string; isConnected: boolean }) {
  const client = useQueryClient();
  const connect = useMutation({
    mutationFn: async () => {
      const { url } = await authCall<{ url: string }>("oidc/connect", {});
      location.assign(url);
    },
  });
  const disconnect = useMutation({
    mutationFn: () => authCall("oidc/disconnect", {}),
    onSettled: () => client.invalidateQueries({ queryKey: ["own-ways"] }),
  });
  const refused = useSyncExternalStore(
    () => () => {},
    () => signOnText(new URLSearchParams(location.search).get("refused")),
    () => null,
  );
  const error = connect.error?.message ?? disconnect.error?.message ?? refused;
  return (
    <Section
      title="Single sign-on"
      note={isConnected ? `You can sign in with ${name}.` : `Connect ${name} to sign in with it.`}
    >
      {error && <FieldError>{error}</FieldError>}
      {isConnected ? (
        <Button disabled={disconnect.isPending} onClick={() => disconnect.mutate()}>
          Disconnect
        </Button>
      ) : (
        <Button disabled={connect.isPending || connect.isSuccess} onClick={() => connect.mutate()}>
          Connect {name}
        </Button>
      )}
    </Section>
  );
}
