"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense } from "react";
import type { TaskTypeInfo } from "@/server/core/task-type.ts";
import { readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { ApiLink } from "../ui/api-link.tsx";
import { buttonClass } from "../ui/button.tsx";
import { IntentLink } from "../ui/intent-link.tsx";
import { EmptyState, ErrorState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const StartForm = lazy(() => import("./start-form.tsx"));

/** Starts a task: first the choice of its type, then the form its type asks for. */
export function StartPage() {
  // Nothing after the sign is no type.
  const chosen = useSearchParams().get("type") || null;
  const query = useQuery(queries.types());
  const type = query.data?.find((each) => each.type === chosen);
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col px-4 pt-3 pb-10 sm:px-6">
      {query.isError && !query.data ? (
        <ErrorState
          isPage
          message={readApiError(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : query.data === undefined ? (
        <>
          <PageHeader title="Start a task" />
          <Loading />
        </>
      ) : chosen === null ? (
        <TypeList types={query.data} />
      ) : type === undefined ? (
        <UnknownType type={chosen} />
      ) : (
        <OneType type={type} />
      )}
    </div>
  );
}

function TypeList({ types }: { types: readonly TaskTypeInfo[] }) {
  const real = types.filter(({ example }) => !example);
  const examples = types.filter(({ example }) => example);
  return (
    <>
      <PageHeader title="Start a task" note="What should be done?">
        <ApiLink />
      </PageHeader>
      {types.length === 0 && (
        <EmptyState title="There is no task type">
          Register one with <code className="font-mono">manager.registerTask</code>, and it appears
          here.
        </EmptyState>
      )}
      {real.length > 0 && <Types types={real} label="Task types" />}
      {examples.length > 0 && (
        <>
          <h2 className="mt-6 font-semibold">Examples</h2>
          <p className="mb-2 text-ink-2">Simulated work, there to be tried and copied.</p>
          <Types types={examples} label="Examples" />
        </>
      )}
    </>
  );
}

function Types({ types, label }: { types: readonly TaskTypeInfo[]; label: string }) {
  return (
    <ul aria-label={label} className="overflow-hidden rounded-lg border bg-surface">
      {types.map(({ type, title, description, example }) => (
        <li
          key={type}
          className="relative flex items-center gap-3 px-4 py-3 not-last:border-b hover:bg-hover/50"
        >
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <IntentLink
                href={`/start?type=${encodeURIComponent(type)}`}
                className="task-text font-medium after:absolute after:inset-0"
              >
                {title}
              </IntentLink>
              {title !== type && <bdi className="font-mono text-ink-3 text-sm">{type}</bdi>}
              {example && <ExampleMark />}
            </p>
            {description && (
              <p className="task-text mt-0.5 line-clamp-2 text-ink-2">{description}</p>
            )}
          </div>
          <ChevronRight className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
        </li>
      ))}
    </ul>
  );
}

function ExampleMark() {
  return <span className="rounded-sm bg-pending-tint px-1.5 text-pending text-xs">example</span>;
}

function OneType({ type }: { type: TaskTypeInfo }) {
  return (
    <>
      <div className="flex min-h-12 items-center gap-2">
        <IntentLink
          href="/start"
          aria-label="Other task types"
          className="-ml-1.5 flex size-7 shrink-0 items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
        >
          <ChevronLeft className="size-4" aria-hidden="true" />
        </IntentLink>
        <h1 className="min-w-0 truncate font-semibold text-xl">
          <bdi>{type.title}</bdi>
        </h1>
        {type.example && <ExampleMark />}
      </div>
      {type.description && (
        <p className="task-text mb-4 max-w-[72ch] text-ink-2">{type.description}</p>
      )}
      <div className="rounded-lg border bg-surface p-4 sm:p-5">
        <Suspense fallback={<Skeleton className="h-40" />}>
          <StartForm key={type.type} type={type} />
        </Suspense>
      </div>
    </>
  );
}

function UnknownType({ type }: { type: string }) {
  return (
    <EmptyState
      isPage
      title="There is no such task type"
      action={
        <IntentLink href="/start" className={buttonClass()}>
          See the types
        </IntentLink>
      }
    >
      Nothing is registered as{" "}
      <bdi className="break-all font-mono text-ink">{type.slice(0, 80)}</bdi>.
    </EmptyState>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the task types" className="rounded-lg border bg-surface">
      {[0, 1, 2].map((key) => (
        <div key={key} className="flex flex-col gap-2 px-4 py-3 not-last:border-b">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      ))}
    </div>
  );
}
