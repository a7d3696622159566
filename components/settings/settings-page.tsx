"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Subject, TypeAccess } from "@/server/core/permission.ts";
import { api } from "../api/api-client.ts";
import { readApiError } from "../api/api-error.ts";
import { identityQueries } from "../api/identity-queries.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";
import { ErrorState, FieldError } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { accessFromText, subjectsText } from "./access-text.ts";

const parts = [
  { what: "see", label: "See" },
  { what: "start", label: "Start and cancel" },
  { what: "answer", label: "Answer" },
] as const;

/** Who may see, start and answer tasks of each type. */
export function SettingsPage() {
  const rules = useQuery(identityQueries.rules());
  if (rules.isError) {
    const { message } = readApiError(rules.error);
    return <ErrorState isPage message={message} onRetry={() => void rules.refetch()} />;
  }
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 pt-3 pb-10 sm:px-6">
      <PageHeader title="Settings" />
      <Section
        title="Task types"
        note={
          <>
            Narrow who may do what: roles (viewer, operator, admin, each with those above it) and
            groups, separated by commas. An empty field leaves it to the roles. Admins may always.
          </>
        }
      >
        {rules.data === undefined ? (
          <Skeleton className="h-40" />
        ) : (
          <ul aria-label="Task types" className="flex flex-col">
            {rules.data.items.map((item) => (
              <RuleRow
                key={`${item.type} ${JSON.stringify(item.set)}`}
                {...item}
                groups={rules.data.groups}
              />
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

function RuleRow({
  type,
  isRegistered,
  inCode,
  set,
  groups,
}: {
  type: string;
  isRegistered: boolean;
  inCode: TypeAccess | null;
  set: TypeAccess | null;
  groups: string[];
}) {
  const client = useQueryClient();
  const id = useId();
  const now = set ?? inCode ?? {};
  const [texts, setTexts] = useState(() => ({
    see: subjectsText(now.see),
    start: subjectsText(now.start),
    answer: subjectsText(now.answer),
  }));
  const change = useMutation({
    mutationFn: (access: TypeAccess | null) => {
      const lists = access && {
        see: mutable(access.see),
        start: mutable(access.start),
        answer: mutable(access.answer),
      };
      return api.settings.setRule.mutate({ type, access: lists });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ["rules"] }),
  });
  const isChanged = parts.some(({ what }) => texts[what] !== subjectsText(now[what]));
  return (
    <li data-rule={type} className="py-3 not-last:border-b">
      <form
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(accessFromText(texts));
        }}
      >
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-medium font-mono text-sm">{type}</bdi>
          {!isRegistered && <span className="text-ink-3 text-sm">not registered</span>}
          {set !== null && <span className="text-ink-3 text-sm">set here</span>}
          {set === null && inCode !== null && (
            <span className="text-ink-3 text-sm">set in code</span>
          )}
        </p>
        <div className="grid gap-2 sm:grid-cols-3">
          {parts.map(({ what, label }) => (
            <div key={what} className="flex flex-col gap-0.5">
              <label htmlFor={`${id}-${what}`} className="text-ink-3 text-sm">
                {label}
              </label>
              <Input
                id={`${id}-${what}`}
                isDense
                list={`${id}-known`}
                placeholder="as the role allows"
                value={texts[what]}
                onChange={(event) => setTexts({ ...texts, [what]: event.target.value })}
              />
            </div>
          ))}
        </div>
        <datalist id={`${id}-known`}>
          {["viewer", "operator", "admin", ...groups].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {change.error && <FieldError>{readApiError(change.error).message}</FieldError>}
        {(isChanged || set !== null) && (
          <div className="flex gap-2">
            {isChanged && (
              <Button type="submit" size="sm" variant="primary" disabled={change.isPending}>
                Save
              </Button>
            )}
            {set !== null && (
              <Button size="sm" disabled={change.isPending} onClick={() => change.mutate(null)}>
                {inCode === null ? "Remove the rule" : "Back to the rule in code"}
              </Button>
            )}
          </div>
        )}
      </form>
    </li>
  );
}

function mutable(subjects: readonly Subject[] | undefined): Subject[] | undefined {
  return subjects && [...subjects];
}
