"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import { readApiError } from "../api/api-error.ts";
import { queries } from "../api/queries.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { ErrorState } from "../ui/notice.tsx";
import { LoadingRows, NothingOpen } from "./inbox-empty.tsx";

// An inbox is empty most of the time. What questions need comes when there is one.
const InboxBoard = lazyPart(() => import("./inbox-board.tsx"));

/** All open questions, or that there are none. */
export function Inbox() {
  const query = useInfiniteQuery(queries.openQuestions());
  const hasAny = query.data?.pages.some(({ items }) => items.length > 0) ?? false;
  // What was answered stays on the page when it was the last one.
  const [hadAny, setHadAny] = useState(false);
  if (hasAny && !hadAny) setHadAny(true);
  const toldOf = useCallback(() => setHadAny(true), []);
  if (hadAny) {
    return (
      <Suspense
        fallback={
          <Frame>
            <LoadingRows />
          </Frame>
        }
      >
        <InboxBoard />
      </Suspense>
    );
  }
  return (
    <Frame>
      <Suspense>
        <WhenNamed then={toldOf} />
      </Suspense>
      {query.isError && !query.data ? (
        <ErrorState
          message={readApiError(query.error).message}
          onRetry={() => void query.refetch()}
        />
      ) : query.isPending ? (
        <LoadingRows />
      ) : (
        <NothingOpen />
      )}
    </Frame>
  );
}

/** Sees whether the address names a question: that may be none of the open ones. */
function WhenNamed({ then }: { then: () => void }) {
  const isNamed = useSearchParams().has("question");
  useEffect(() => {
    if (isNamed) then();
  }, [isNamed, then]);
  return null;
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="flex min-h-8 border-b px-4 py-2">
        <h1 className="font-semibold text-xl leading-8">Inbox</h1>
      </div>
      {children}
    </>
  );
}
