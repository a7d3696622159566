"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readApiError } from "../api/api-error.ts";
import { identityQueries } from "../api/identity-queries.ts";
import { queries } from "../api/queries.ts";
import { AuthRefusal, authCall } from "../entry/auth-call.ts";
import { AdminLinks } from "../shell/admin-links.tsx";
import { SignOutButton } from "../shell/sign-out-button.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { ErrorState, FieldError } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { Sessions } from "./sessions.tsx";
import { SignOnSection } from "./sign-on-section.tsx";

/** Who one is here, the password, and the way out. On a phone also the way to the admin's pages. */
export function AccountPage() {
  const me = useQuery(queries.me());
  const ways = useQuery({ ...identityQueries.ownWays(), enabled: me.data?.signIn === true });
  if (me.isError) {
    const { message } = readApiError(me.error);
    return <ErrorState isPage message={message} onRetry={() => void me.refetch()} />;
  }
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 pt-3 pb-10 sm:px-6">
      <PageHeader title="Your account">{me.data?.signIn && <SignOutButton />}</PageHeader>
      {me.data === undefined ? (
        <Skeleton className="h-40" />
      ) : !me.data.signIn ? (
        <p className="text-ink-2">
          Nobody signs in on this server (TOOLTHREAD_AUTH=none): everybody on this machine is the
          operator.
        </p>
      ) : (
        <>
          <Section title="You">
            <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-y-1">
              <dt className="text-ink-3">Name</dt>
              <dd className="task-text">{me.data.actor.name}</dd>
              <dt className="text-ink-3">E-mail</dt>
              <dd className="task-text">{me.data.email}</dd>
              <dt className="text-ink-3">Role</dt>
              <dd>{me.data.role}</dd>
              <dt className="text-ink-3">Groups</dt>
              <dd className="task-text">{me.data.groups.join(", ") || "none"}</dd>
            </dl>
            <div className="md:hidden">
              <AdminLinks />
            </div>
          </Section>
          <Section title="Sessions" note="Where you are signed in.">
            <Sessions />
          </Section>
          {ways.data && <PasskeysSection passkeys={ways.data.passkeys} />}
          {ways.data?.signOn && <SignOnSection {...ways.data.signOn} />}
          {ways.data?.hasPassword && (
            <Section title="Password">
              <PasswordForm />
            </Section>
          )}
        </>
      )}
    </div>
  );
}

function PasswordForm() {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const change = useMutation({
    mutationFn: () => authCall("change-password", { currentPassword, newPassword }),
    onSuccess: () => {
      setCurrent("");
      setNew("");
    },
  });
  const issues = change.error instanceof AuthRefusal ? change.error.issues : [];
  const issueOf = (field: string) => issues.find(({ path }) => path === field)?.message;
  return (
    <form
      className="flex max-w-sm flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) change.mutate();
      }}
    >
      <Field
        label="Present password"
        type="password"
        autoComplete="current-password"
        required
        value={currentPassword}
        error={issueOf("currentPassword")}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={10}
        maxLength={128}
        hint="10 characters or more. Your other sessions end."
        value={newPassword}
        error={issueOf("newPassword")}
        onChange={(event) => setNew(event.target.value)}
      />
      {change.error && issues.length === 0 && <FieldError>{change.error.message}</FieldError>}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" disabled={change.isPending}>
          Change the password
        </Button>
        {change.isSuccess && (
          <p role="status" className="text-ink-2">
            It is changed.
          </p>
        )}
      </div>
    </form>
  );
}
