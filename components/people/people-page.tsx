"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { type Role, roles } from "@/server/core/permission.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { identityQueries } from "../api/identity-queries.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { Button } from "../ui/button.tsx";
import { Input, Select } from "../ui/input.tsx";
import { ErrorState, FieldError } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { groupsFromText } from "./groups-from-text.ts";
import { InviteForm } from "./invite-form.tsx";

interface Person {
  userId: string;
  name: string;
  email: string;
  role: Role;
  groups: string[];
  disabledAt: string | null;
}

/** Who may sign in, as what, and in which groups. */
export function PeoplePage() {
  const people = useQuery(identityQueries.people());
  if (people.isError) {
    const { message } = readApiError(people.error);
    return <ErrorState isPage message={message} onRetry={() => void people.refetch()} />;
  }
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 pt-3 pb-10 sm:px-6">
      <PageHeader title="People and groups" />
      <Section
        title="Invite somebody"
        note="A viewer sees, an operator also starts, cancels and answers, an admin also manages keys, people and settings."
      >
        <InviteForm />
      </Section>
      {people.data === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        <>
          {people.data.invites.length > 0 && (
            <Section title="Open invites">
              <ul aria-label="Open invites">
                {people.data.invites.map((invite) => (
                  <InviteRow key={invite.linkId} {...invite} />
                ))}
              </ul>
            </Section>
          )}
          <Section
            title="People"
            note="A group exists by its members. Rules of task types name groups; see Settings."
          >
            <ul aria-label="People">
              {people.data.items.map((person) => (
                <PersonRow key={person.userId} person={person} />
              ))}
            </ul>
          </Section>
        </>
      )}
    </div>
  );
}

function InviteRow(invite: {
  linkId: string;
  email: string | null;
  role: Role;
  groups: string[];
  createdAt: string;
}) {
  const client = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => api.people.withdrawInvite.mutate({ linkId: invite.linkId }),
    onSettled: () => client.invalidateQueries({ queryKey: ["people"] }),
  });
  return (
    <li className="flex items-center gap-3 py-2 not-last:border-b">
      <p className="min-w-0 flex-1">
        <bdi className="font-medium">{invite.email ?? "whoever has the link"}</bdi>{" "}
        <span className="text-ink-2">
          as {invite.role}
          {invite.groups.length > 0 && ` in ${invite.groups.join(", ")}`}
        </span>{" "}
        <RelativeTime at={invite.createdAt} className="text-ink-3 text-sm" />
      </p>
      <Button size="sm" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
        Withdraw
      </Button>
    </li>
  );
}

function PersonRow({ person }: { person: Person }) {
  const client = useQueryClient();
  const id = useId();
  const [groups, setGroups] = useState(person.groups.join(", "));
  const change = useMutation({
    mutationFn: (to: { role?: Role; groups?: string[]; isDisabled?: boolean }) =>
      api.people.change.mutate({ userId: person.userId, ...to }),
    onSettled: () => client.invalidateQueries({ queryKey: ["people"] }),
  });
  const endSessions = useMutation({
    mutationFn: () => api.people.endSessions.mutate({ userId: person.userId }),
  });
  const isDisabled = person.disabledAt !== null;
  const hasOtherGroups = groupsFromText(groups).join() !== person.groups.join();
  return (
    <li data-person={person.email} className="flex flex-col gap-2 py-3 not-last:border-b">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 max-sm:basis-full">
          <bdi className="font-medium">{person.name}</bdi>{" "}
          <bdi className="break-all text-ink-2">{person.email}</bdi>
          {isDisabled && <span className="text-ink-3 text-sm"> may not sign in</span>}
        </p>
        <label htmlFor={`${id}-role`} className="sr-only">
          Role of {person.name}
        </label>
        <Select
          id={`${id}-role`}
          isDense
          className="w-28"
          value={person.role}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ role: event.target.value as Role })}
        >
          {roles.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </Select>
        {!isDisabled && (
          <Button
            size="sm"
            disabled={endSessions.isPending}
            title="Signs them out everywhere, at once"
            onClick={() => endSessions.mutate()}
          >
            Sign out everywhere
          </Button>
        )}
        <Button
          size="sm"
          disabled={change.isPending}
          onClick={() => change.mutate({ isDisabled: !isDisabled })}
        >
          {isDisabled ? "Let in again" : "Shut out"}
        </Button>
      </div>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ groups: groupsFromText(groups) });
        }}
      >
        <label htmlFor={`${id}-groups`} className="text-ink-3 text-sm">
          Groups
        </label>
        <Input
          id={`${id}-groups`}
          isDense
          className="min-w-0 flex-1"
          placeholder="none"
          value={groups}
          onChange={(event) => setGroups(event.target.value)}
        />
        {hasOtherGroups && (
          <Button type="submit" size="sm" disabled={change.isPending}>
            Save groups
          </Button>
        )}
      </form>
      <p role="status" className="text-ink-2 text-sm empty:hidden">
        {endSessions.isSuccess && endedText(endSessions.data.ended)}
      </p>
      {change.error && <FieldError>{readApiError(change.error).message}</FieldError>}
      {endSessions.error && <FieldError>{readApiError(endSessions.error).message}</FieldError>}
    </li>
  );
}

function endedText(count: number): string {
  if (count === 0) return "They were signed in nowhere.";
  return count === 1 ? "Signed out in one browser." : `Signed out in ${count} browsers.`;
}
