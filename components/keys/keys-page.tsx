"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyScopes } from "@/server/core/permission.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { identityQueries } from "../api/identity-queries.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { ApiLink } from "../ui/api-link.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ErrorState, FieldError } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { MakeKeyForm } from "./make-key-form.tsx";
import { scopeText } from "./scope-text.ts";

interface Key {
  keyId: string;
  name: string;
  prefix: string;
  ownerName: string | null;
  scopes: KeyScopes;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  state: "active" | "expired" | "revoked";
}

/** The keys of agents: making one, seeing what they do, ending them. */
export function KeysPage() {
  const keys = useQuery(identityQueries.keys());
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  if (keys.isError) {
    const { message } = readApiError(keys.error);
    return <ErrorState isPage message={message} onRetry={() => void keys.refetch()} />;
  }
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 pt-3 pb-10 sm:px-6">
      <PageHeader title="Agent keys" note="What programs sign in with.">
        <ApiLink />
      </PageHeader>
      {made && <MadeKey name={made.name} value={made.key} onDone={() => setMade(null)} />}
      <Section title="New key">
        <MakeKeyForm onMade={setMade} />
      </Section>
      <Section title="Keys">
        {keys.data === undefined ? (
          <Skeleton className="h-20" />
        ) : keys.data.items.length === 0 ? (
          <p className="text-ink-2">There is no key yet. Make one for each program.</p>
        ) : (
          <ul aria-label="Keys" className="flex flex-col">
            {keys.data.items.map((key) => (
              <KeyRow key={key.keyId} item={key} />
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

function MadeKey({ name, value, onDone }: { name: string; value: string; onDone: () => void }) {
  return (
    <section
      aria-label="The new key"
      className="rounded-lg border border-line-strong bg-surface p-4 sm:p-5"
    >
      <h2 className="font-semibold text-lg">
        The key of <bdi>{name}</bdi>
      </h2>
      <p className="mt-0.5 text-ink-2">
        Copy it now: it is stored nowhere, and is not shown again. Programs send it as{" "}
        <code className="font-mono text-sm">Authorization: Bearer KEY</code>.
      </p>
      <p className="mt-3 flex items-center gap-2 rounded-md bg-sunken px-3 py-2">
        <code data-new-key className="min-w-0 flex-1 break-all font-mono text-sm">
          {value}
        </code>
        <CopyButton text={() => value} label="Copy the key" />
      </p>
      <Button className="mt-3" onClick={onDone}>
        I have copied it
      </Button>
    </section>
  );
}

function KeyRow({ item }: { item: Key }) {
  const client = useQueryClient();
  const [isSure, setSure] = useState(false);
  const revoke = useMutation({
    mutationFn: () => api.keys.revoke.mutate({ keyId: item.keyId }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["keys"] }),
  });
  const isActive = item.state === "active";
  return (
    <li
      data-key={item.keyId}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 not-last:border-b"
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-medium">{item.name}</bdi>
          <code className="font-mono text-ink-3 text-sm">tt_{item.prefix}_…</code>
          {!isActive && <span className="text-ink-3 text-sm">{item.state}</span>}
        </p>
        <p className="task-text text-ink-2 text-sm">{scopeText(item.scopes)}</p>
        <p className="text-ink-3 text-sm">
          made <RelativeTime at={item.createdAt} />
          {item.ownerName && (
            <>
              {" "}
              by <bdi>{item.ownerName}</bdi>
            </>
          )}
          {" · "}
          {item.lastUsedAt ? (
            <>
              used <RelativeTime at={item.lastUsedAt} />
            </>
          ) : (
            "never used"
          )}
          {item.expiresAt && ` · until ${item.expiresAt.slice(0, 10)}`}
        </p>
        {revoke.error && <FieldError>{readApiError(revoke.error).message}</FieldError>}
      </div>
      {isActive && !isSure && (
        <Button size="sm" onClick={() => setSure(true)}>
          Revoke…
        </Button>
      )}
      {isActive && isSure && (
        <>
          <Button size="sm" onClick={() => setSure(false)}>
            Keep it
          </Button>
          <Button
            size="sm"
            variant="danger"
            disabled={revoke.isPending}
            onClick={() => revoke.mutate()}
          >
            Revoke it now
          </Button>
        </>
      )}
    </li>
  );
}
