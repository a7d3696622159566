"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { queries } from "../api/queries.ts";
import type { ListedQuestion } from "../live/merge-pages.ts";

/**
 * The questions of a list of open ones, and those that were in it and no longer are: they were
 * resolved while the connection was away, and whoever was about to answer is to see how.
 *
 * @param listed undefined while the list is being loaded; the same array until it changes.
 */
export function useKeptQuestions(
  listed: readonly ListedQuestion[] | undefined,
  dismissed: ReadonlySet<string>,
): ListedQuestion[] {
  const client = useQueryClient();
  const [kept, setKept] = useState<ReadonlyMap<string, ListedQuestion>>(new Map());
  const changed = listed?.filter((question) => kept.get(question.questionId) !== question) ?? [];
  if (changed.length > 0) setKept(withAll(kept, changed));

  const gone = useMemo(() => {
    const ids = new Set(listed?.map(({ questionId }) => questionId));
    return [...kept.values()].filter(
      ({ questionId }) =>
        listed !== undefined && !ids.has(questionId) && !dismissed.has(questionId),
    );
  }, [listed, kept, dismissed]);

  const latest = useRef(gone);
  useEffect(() => {
    latest.current = gone;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each list that came
  useEffect(() => {
    for (const question of latest.current) {
      if (question.outcome !== null) continue;
      client
        .fetchQuery(queries.question(question.questionId))
        .then((found) => setKept((before) => withAll(before, [{ ...question, ...found }])))
        // It stays as it was; the next change of the list asks again.
        .catch(() => undefined);
    }
  }, [listed, client]);

  return [...(listed ?? []), ...gone];
}

function withAll(
  kept: ReadonlyMap<string, ListedQuestion>,
  questions: readonly ListedQuestion[],
): ReadonlyMap<string, ListedQuestion> {
  return new Map([...kept, ...questions.map((each) => [each.questionId, each] as const)]);
}
