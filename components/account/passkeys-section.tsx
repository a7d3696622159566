"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { OwnPasskey } from "../api/identity-queries.ts";
import { authCall } from "../entry/auth-call.ts";
import { makePasskey, useCanUsePasskeys } from "../entry/passkey-browser.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { FieldError } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";

/** The passkeys with which one signs in: adding, naming and removing them. */
export function PasskeysSection({ passkeys }: { passkeys: OwnPasskey[] }) {
  return (
    <Section
      title="Passkeys"
      note="Sign in with your fingerprint, face or PIN on a device, or with a security key, instead of a password."
    >
      <div className="flex flex-col gap-4">
        {passkeys.length > 0 && (
          <ul aria-label="Passkeys">
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.passkeyId} passkey={passkey} />
            ))}
          </ul>
        )}
        <AddPasskey />
      </div>
    </Section>
  );
}

function AddPasskey() {
  const client = useQueryClient();
  const canUse = useCanUsePasskeys();
  const [name, setName] = useState("");
  const add = useMutation({
    mutationFn: () => makePasskey(name),
    onSuccess: () => {
      setName("");
      return client.invalidateQueries({ queryKey: ["own-ways"] });
    },
  });
  if (canUse !== true) {
    return (
      <p className="text-ink-2">
        {canUse === false &&
          "Passkeys need a browser that has them, and an address with a name and https (or localhost)."}
      </p>
    );
  }
  return (
    <form
      className="flex max-w-sm flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate();
      }}
    >
      <Field
        label="Name of the new passkey"
        required
        maxLength={60}
        placeholder="for example: work laptop"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {add.error && <FieldError>{add.error.message}</FieldError>}
      <Button type="submit" className="self-start" disabled={add.isPending}>
        Add a passkey…
      </Button>
    </form>
  );
}

function PasskeyRow({ passkey }: { passkey: OwnPasskey }) {
  const client = useQueryClient();
  const { passkeyId, name, createdAt, lastUsedAt } = passkey;
  const [newName, setNewName] = useState<string | null>(null);
  const onSettled = () => client.invalidateQueries({ queryKey: ["own-ways"] });
  const rename = useMutation({
    mutationFn: (to: string) => authCall("passkeys/rename", { passkeyId, name: to }),
    onSuccess: () => setNewName(null),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: () => authCall("passkeys/remove", { passkeyId }),
    onSettled,
  });
  const error = rename.error ?? remove.error;
  return (
    <li data-passkey={name} className="flex flex-wrap items-center gap-3 py-2 not-last:border-b">
      {newName === null ? (
        <>
          <div className="min-w-0 flex-1">
            <p className="task-text font-medium">{name}</p>
            <p className="text-ink-3 text-sm">
              added <RelativeTime at={createdAt} />
              {" · "}
              {lastUsedAt ? (
                <>
                  used <RelativeTime at={lastUsedAt} />
                </>
              ) : (
                "never used"
              )}
            </p>
          </div>
          <Button size="sm" aria-label={`Rename ${name}`} onClick={() => setNewName(name)}>
            Rename
          </Button>
          <Button
            size="sm"
            aria-label={`Remove ${name}`}
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove
          </Button>
        </>
      ) : (
        <form
          className="flex min-w-0 flex-1 items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate(newName);
          }}
        >
          <Input
            isDense
            autoFocus
            required
            maxLength={60}
            aria-label={`New name of ${name}`}
            className="min-w-0 flex-1"
            value={newName}
            onChange={(event) => setNewName(event.target.value)}
          />
          <Button type="submit" size="sm" disabled={rename.isPending}>
            Save
          </Button>
          <Button size="sm" onClick={() => setNewName(null)}>
            Keep it
          </Button>
        </form>
      )}
      {error && <FieldError>{error.message}</FieldError>}
    </li>
  );
}
