"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { queries, useMay } from "../api/queries.ts";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { useMedia } from "../ui/use-media.ts";
import { templateOf } from "./alike.ts";
import { focusAnswer } from "./focus-answer.ts";
import { InboxDetail } from "./inbox-detail.tsx";
import { NothingOpen } from "./inbox-empty.tsx";
import { neighbour } from "./inbox-order.ts";
import { InboxRow, type RowActions } from "./inbox-row.tsx";
import { InboxRows } from "./inbox-rows.tsx";
import { useChosenQuestion } from "./use-chosen-question.ts";
import { useInboxList } from "./use-inbox-list.ts";
import { usePending } from "./use-pending.ts";

const BulkAnswer = lazyPart(() => import("./bulk-answer.tsx"));
const FoundQuestion = lazyPart(() => import("./found-question.tsx"));

const nobody: ReadonlySet<string> = new Set();

/** All open questions: the list of them, and the one that is being read. */
export default function InboxBoard() {
  const isWide = useMedia("(min-width: 64rem)");
  const { chosen, choose } = useChosenQuestion();
  const list = useInboxList(chosen);
  const { ids, byId, heldCount, isLoaded } = list;
  const stats = useQuery(queries.stats());
  const mayAnswer = useMay("questions:answer");
  const pending = usePending();
  const [selected, setSelected] = useState(nobody);
  const takesFocus = useRef(false);
  const scroller = useRef<HTMLElement>(null);

  const pendingIds = useMemo(
    () => new Set(pending.flatMap(({ questions }) => questions.map((each) => each.questionId))),
    [pending],
  );
  const isOpen = (id: string) => byId.get(id)?.outcome === null && !pendingIds.has(id);
  const firstOpen = ids.find(isOpen) ?? null;
  // On a wide screen there is always one to read: the first, until somebody chooses.
  const current = chosen ?? (isWide ? (firstOpen ?? ids[0] ?? null) : null);
  useEffect(() => {
    if (isWide && isLoaded && chosen === null && firstOpen !== null) choose(firstOpen);
  }, [isWide, isLoaded, chosen, firstOpen, choose]);

  const picked = useMemo(
    () =>
      [...selected].flatMap((id) => {
        const question = byId.get(id);
        return question?.outcome === null && !pendingIds.has(id) ? [question] : [];
      }),
    [selected, byId, pendingIds],
  );
  const [firstPicked] = picked;
  const template = firstPicked ? templateOf(firstPicked) : null;
  const isSelectable = (id: string) => {
    const question = byId.get(id);
    if (!mayAnswer || !question || !isOpen(id)) return false;
    const own = templateOf(question);
    return own !== null && (template === null || own === template);
  };
  const toggle = (id: string) => {
    if (selected.has(id)) setSelected(new Set([...selected].filter((each) => each !== id)));
    else if (isSelectable(id)) {
      setSelected(new Set([...picked.map(({ questionId }) => questionId), id]));
    }
  };

  const move = (step: 1 | -1) => {
    const next = neighbour(ids, current, step, (id) => byId.get(id)?.outcome === null);
    if (next === null) return;
    takesFocus.current = true;
    choose(next);
    // Held down, a key must not come to the end of what is loaded.
    if (ids.indexOf(next) > ids.length - 50) list.loadMore();
  };
  const goOn = useCallback(
    (gone: ReadonlySet<string>) => {
      const fits = (id: string) =>
        byId.get(id)?.outcome === null && !gone.has(id) && !pendingIds.has(id);
      const next = neighbour(ids, current, 1, fits) ?? neighbour(ids, current, -1, fits);
      takesFocus.current = true;
      if (isWide) choose(next ?? current);
      else choose(null);
    },
    [byId, ids, current, choose, isWide, pendingIds],
  );

  const resolved = ids.filter((id) => byId.get(id)?.outcome !== null);
  const open = Math.max(ids.length - resolved.length, stats.data?.openQuestions ?? 0);
  // A link may lead to what the list does not have.
  const isElsewhere = current !== null && isLoaded && !byId.has(current);
  const isReading = current !== null && (isElsewhere || byId.has(current));
  const alike = current === null ? [] : alikeIds(current);
  function alikeIds(id: string): string[] {
    const question = byId.get(id);
    const own = question ? templateOf(question) : null;
    if (own === null) return [];
    return ids.filter((each) => {
      const other = byId.get(each);
      return other !== undefined && isOpen(each) && templateOf(other) === own;
    });
  }
  const clearSelection = () => setSelected(nobody);
  const section = "Inbox";
  useShortcuts([
    {
      keys: ["j", "ArrowDown"],
      label: "Next question",
      section,
      repeats: true,
      when: ids.length > 0,
      inPalette: false,
      run: () => move(1),
    },
    {
      keys: ["k", "ArrowUp"],
      label: "Previous question",
      section,
      repeats: true,
      when: ids.length > 0,
      inPalette: false,
      run: () => move(-1),
    },
    {
      keys: "x",
      label: "Select, to answer several at once",
      section,
      when: current !== null && (selected.has(current) || isSelectable(current)),
      run: () => current !== null && toggle(current),
    },
    {
      keys: "Shift+x",
      label: "Select all that ask the same",
      section,
      when: alike.length > 1 && mayAnswer,
      run: () => setSelected(new Set(alike)),
    },
    {
      keys: ".",
      label: "Show what came in meanwhile",
      section,
      when: heldCount > 0,
      run: list.showHeld,
    },
    {
      keys: "Escape",
      label: picked.length > 0 ? "Select none" : "Back to the list",
      section,
      when: picked.length > 0 || (!isWide && chosen !== null),
      inPalette: false,
      run: () => (picked.length > 0 ? clearSelection() : choose(null)),
    },
  ]);

  const actions = useRef<RowActions>({ open: () => {}, toggle: () => {} });
  useEffect(() => {
    actions.current = {
      toggle,
      open: (id) => {
        // The second time on a wide screen, and so Enter on the row that is read, begins the answer.
        if (isWide && id === current) focusAnswer();
        choose(id, !isWide);
      },
    };
  });
  const rowActions = useMemo<RowActions>(
    () => ({
      open: (id) => actions.current.open(id),
      toggle: (id) => actions.current.toggle(id),
    }),
    [],
  );

  const shownDetail = picked.length > 0 || isReading;
  const isEmpty = ids.length === 0;
  return (
    <div className="flex min-h-0 flex-1 max-md:h-[calc(100dvh-7rem)] max-md:flex-none">
      <section
        ref={scroller}
        aria-label="Inbox"
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + 2 * clientHeight > scrollHeight) list.loadMore();
        }}
        className={cn(
          "min-h-0 min-w-0 flex-1 overflow-y-auto overscroll-contain",
          (!isEmpty || shownDetail) && "lg:w-84 lg:flex-none lg:border-r min-[1800px]:w-104",
          shownDetail && "max-lg:hidden",
        )}
      >
        <div className="sticky top-0 z-10 border-b bg-canvas px-4 py-2">
          <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="font-semibold text-xl">Inbox</h1>
            {open > 0 && (
              <p
                className="tabular text-ink-2"
                title="By deadline, how long they wait, and what waits behind them"
              >
                {open} open, most pressing first
              </p>
            )}
            {resolved.length > 0 && (
              <Button
                size="sm"
                variant="quiet"
                className="-mr-2 ml-auto"
                onClick={() => list.dismiss(resolved)}
              >
                Clear {resolved.length} done
              </Button>
            )}
          </div>
          <p role="status" className={heldCount === 0 ? "sr-only" : "py-1"}>
            {heldCount > 0 && (
              <Button size="pill" onClick={list.showHeld}>
                {heldCount} more pressing {heldCount === 1 ? "question" : "questions"}
              </Button>
            )}
          </p>
        </div>
        {isEmpty ? (
          <NothingOpen />
        ) : (
          <InboxRows
            ids={ids}
            chosen={current}
            scroller={scroller}
            renderRow={(id, at, style) => {
              const question = byId.get(id);
              return (
                question && (
                  <InboxRow
                    key={id}
                    question={question}
                    at={at}
                    count={ids.length}
                    isChosen={id === current}
                    isSelected={selected.has(id) && isOpen(id)}
                    isSelectable={isSelectable(id)}
                    isPending={pendingIds.has(id)}
                    actions={rowActions}
                    takesFocus={takesFocus}
                    style={style}
                  />
                )
              );
            }}
          />
        )}
      </section>
      {shownDetail && (
        <section
          aria-label="Question"
          data-detail=""
          className="@container min-h-0 min-w-0 flex-1 overflow-y-auto"
        >
          <Suspense>
            {picked.length > 0 ? (
              <BulkAnswer
                questions={picked}
                alikeCount={alike.length}
                onSelectAlike={() => setSelected(new Set(alike))}
                onClear={clearSelection}
                onSaid={() => {
                  const gone = new Set(picked.map(({ questionId }) => questionId));
                  clearSelection();
                  goOn(gone);
                }}
              />
            ) : isElsewhere && current !== null ? (
              <FoundQuestion
                key={current}
                questionId={current}
                hasNext={firstOpen !== null}
                onBack={() => choose(null, true)}
                onSaid={() => goOn(new Set([current]))}
                onNext={() => goOn(nobody)}
              />
            ) : (
              current !== null && (
                <InboxDetail
                  key={current}
                  question={byId.get(current)}
                  hasNext={firstOpen !== null}
                  onBack={() => choose(null)}
                  onSaid={() => goOn(new Set([current]))}
                  onNext={() => goOn(nobody)}
                />
              )
            )}
          </Suspense>
        </section>
      )}
    </div>
  );
}
