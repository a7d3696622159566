"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { queries } from "../api/queries.ts";
import type { ListedQuestion } from "../live/merge-pages.ts";
import { inboxOrder, settledOrder } from "./inbox-order.ts";
import { outbox } from "./outbox.ts";
import { useKeptQuestions } from "./use-kept-questions.ts";

/** So many are loaded without being asked for, so that those that are alike can be said together. */
const loadedAhead = 1000;
/** The first screen comes before that. */
const restMillis = 1500;
const none: readonly string[] = [];

/** The questions of the inbox, in an order that does not move what is being read. */
export function useInboxList(anchor: string | null) {
  const query = useInfiniteQuery(queries.openQuestions());
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState(none);

  const listed = useMemo(() => query.data?.pages.flatMap(({ items }) => items), [query.data]);
  const kept = useKeptQuestions(listed, dismissed);
  const ordered = useMemo(() => inboxOrder(kept, dismissed), [kept, dismissed]);
  const byId = useMemo(
    () => new Map<string, ListedQuestion>(ordered.map((each) => [each.questionId, each])),
    [ordered],
  );
  const { ids, held } = useMemo(
    () => settledOrder(shown, [...byId.keys()], anchor),
    [shown, byId, anchor],
  );
  if (!isSame(ids, shown)) setShown(ids);

  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const loaded = listed?.length ?? 0;
  const isAhead = loaded >= loadedAhead || !hasNextPage;
  const [mayLoadAhead, setMayLoadAhead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setMayLoadAhead(true), restMillis);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (mayLoadAhead && !isAhead && !isFetching && !isError) void fetchNextPage();
  }, [mayLoadAhead, isAhead, isFetching, isError, fetchNextPage]);

  useEffect(() => {
    if (outbox.pending().length === 0) return;
    for (const question of byId.values()) if (question.outcome !== null) outbox.closed(question);
  }, [byId]);

  return {
    ids,
    byId,
    /** How many are held back because they belong before what is being read. */
    heldCount: held.length,
    showHeld: useCallback(
      () => setShown((before) => settledOrder(before, [...byId.keys()], null).ids),
      [byId],
    ),
    dismiss: useCallback((gone: readonly string[]) => {
      setDismissed((before) => new Set([...before, ...gone]));
    }, []),
    isLoaded: query.data !== undefined,
    loadMore: useCallback(() => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    }, [hasNextPage, isFetching, fetchNextPage]),
  };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((id, at) => id === b[at]));
}
