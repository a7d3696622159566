"use client";

import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { buttonClass } from "../ui/button.tsx";
import { Input } from "../ui/input.tsx";
import { EmptyState, ErrorState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { type OpenApi, type Operation, operationsByTag } from "./open-api.ts";
import { OperationCard } from "./operation-card.tsx";
import { Prose } from "./prose.tsx";

const address = "/api/v1/openapi.json";

/** The REST API as its own description tells it. */
export function ApiReference() {
  const { data, error, refetch } = useQuery({
    queryKey: ["openapi"],
    queryFn: async (): Promise<OpenApi> => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`The server answered with ${response.status}.`);
      return response.json();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ErrorState isPage message={error.message} onRetry={() => void refetch()} />;
  return (
    <div className="mx-auto flex w-full max-w-[90rem] flex-1 flex-col px-4 pt-3 pb-16 sm:px-6">
      <PageHeader title="REST API" note={data && `version ${data.info.version}`}>
        <a href={address} className={buttonClass({ size: "sm" })}>
          openapi.json
        </a>
      </PageHeader>
      {data ? <Reference document={data} /> : <Loading />}
    </div>
  );
}

function Reference({ document }: { document: OpenApi }) {
  const [words, setWords] = useState("");
  const wanted = useDeferredValue(words);
  // The operation of the address was not there yet when the browser looked for it.
  useEffect(() => {
    const id = decodeURIComponent(window.location.hash.slice(1));
    if (id !== "") window.document.getElementById(id)?.scrollIntoView();
  }, []);
  const groups = operationsByTag(document)
    .map((group) => ({
      ...group,
      operations: group.operations.filter((operation) => fits(operation, wanted)),
    }))
    .filter(({ operations }) => operations.length > 0);
  return (
    <>
      <Prose className="mt-1 mb-5 max-w-[72ch] text-ink-2" text={document.info.description} />
      <div className="grid items-start gap-8 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav aria-label="Operations" className="lg:sticky lg:top-3">
          <Input
            type="search"
            value={words}
            onChange={({ target }) => setWords(target.value)}
            placeholder="Find an operation"
            aria-label="Find an operation"
          />
          <div className="hidden max-h-[calc(100dvh-6rem)] overflow-y-auto lg:block">
            {groups.map(({ tag, operations }) => (
              <div key={tag} className="mt-4">
                <p className="px-2 text-ink-3 text-sm">{tag}</p>
                <ul>
                  {operations.map(({ operationId, summary }) => (
                    <li key={operationId}>
                      <a
                        href={`#${operationId}`}
                        className="block rounded-md px-2 py-1 text-ink-2 hover:bg-hover hover:text-ink"
                      >
                        {summary}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </div>
        </nav>
        <div className="flex min-w-0 flex-col gap-10">
          {groups.length === 0 && <EmptyState title="No operation has these words" />}
          {groups.map(({ tag, about, operations }) => (
            <section key={tag} aria-labelledby={`tag-${tag}`}>
              <h2 id={`tag-${tag}`} className="font-semibold text-lg">
                {tag}
              </h2>
              <p className="text-ink-2">{about}</p>
              <div className="mt-3 flex flex-col gap-4">
                {operations.map((operation) => (
                  <OperationCard
                    key={operation.operationId}
                    operation={operation}
                    document={document}
                  />
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
    </>
  );
}

function fits({ path, summary, description = "", method }: Operation, words: string): boolean {
  const text = `${method} ${path} ${summary} ${description}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the reference" className="mt-6 flex flex-col gap-4">
      {[1, 2, 3].map((i) => (
        <Skeleton key={i} className="h-40" />
      ))}
    </div>
  );
}
