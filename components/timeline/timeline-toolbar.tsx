"use client";

import {
  ArrowDownToLine,
  ChartGantt,
  CircleX,
  MessageCircleQuestion,
  Pause,
  Search,
  X,
} from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { type UpdateLevel, updateLevels } from "@/server/core/task-update.ts";
import { Kbd } from "../keyboard/kbd.tsx";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { Input, Select } from "../ui/input.tsx";
import { isFiltering, type TimelineFilter } from "./entries.ts";
import { ExportMenu } from "./export-menu.tsx";

const levelNames: Record<UpdateLevel, string> = {
  debug: "Everything",
  info: "Without debug",
  warning: "Warnings and errors",
  error: "Errors",
};

interface TimelineToolbarProps {
  taskId: string;
  search: RefObject<HTMLInputElement | null>;
  filter: TimelineFilter;
  onFilter: (filter: TimelineFilter) => void;
  /** What the filter has come to; null without one. */
  found: string | null;
  /** Null for a task that has ended. */
  following: { isFollowing: boolean; toggle: () => void } | null;
  /** Null while nothing is asked. */
  onQuestion: (() => void) | null;
  gantt: { isShown: boolean; toggle: () => void };
  onPrint: () => Promise<void>;
  /** Goes to the first error; false when there is none. */
  onFirstError: () => Promise<boolean>;
}

/** What can be done with a timeline: search it, narrow it, move in it, take it along. */
export function TimelineToolbar(props: TimelineToolbarProps) {
  const { taskId, search, filter, onFilter, found, following, gantt, onQuestion } = props;
  const [errors, goToError] = useFirstError(props.onFirstError);
  useShortcuts([
    {
      keys: "/",
      label: "Search the timeline",
      run: () => {
        search.current?.focus();
        search.current?.select();
      },
    },
    { keys: "g g", label: gantt.isShown ? "Hide the gantt" : "Show the gantt", run: gantt.toggle },
    { keys: "e", label: "Go to the first error", run: goToError },
    {
      keys: "q",
      label: "Go to the open question",
      run: () => onQuestion?.(),
      when: onQuestion !== null,
    },
    {
      keys: "f",
      label: following?.isFollowing ? "Stop following" : "Follow what is new",
      run: () => following?.toggle(),
      when: following !== null,
    },
  ]);
  return (
    <div
      role="toolbar"
      aria-label="Timeline"
      className="flex flex-wrap items-center gap-x-2 gap-y-1.5 border-b bg-canvas px-2 py-1.5 sm:px-6 print:hidden"
    >
      <div className="relative min-w-36 flex-1 sm:max-w-72">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1.5 left-2 size-4 text-ink-3"
        />
        <Input
          ref={search}
          isDense
          type="search"
          aria-label="Search the timeline"
          placeholder="Search"
          value={filter.text}
          maxLength={200}
          className="w-full pr-8 pl-8"
          onChange={(event) => onFilter({ ...filter, text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            if (filter.text === "") event.currentTarget.blur();
            else onFilter({ ...filter, text: "" });
          }}
        />
        {filter.text === "" && <Kbd keys="/" className="absolute top-1 right-1.5" />}
      </div>
      <Select
        isDense
        aria-label="Levels"
        className="w-auto"
        value={filter.level}
        onChange={(event) => onFilter({ ...filter, level: event.target.value as UpdateLevel })}
      >
        {updateLevels.map((level) => (
          <option key={level} value={level}>
            {levelNames[level]}
          </option>
        ))}
      </Select>
      {isFiltering(filter) && (
        <Button
          variant="quiet"
          size="sm"
          onClick={() => onFilter({ text: "", level: "debug" })}
          aria-label="Show everything again"
        >
          <X aria-hidden="true" />
        </Button>
      )}
      <p role="status" className="tabular text-ink-3 text-sm">
        {found}
      </p>
      <span className="ml-auto flex items-center gap-1">
        {onQuestion !== null && (
          <Button
            variant="quiet"
            size="sm"
            onClick={onQuestion}
            title="Go to the open question (Q)"
          >
            <MessageCircleQuestion aria-hidden="true" className="text-waiting-solid" />
            <span className="max-sm:sr-only">Question</span>
          </Button>
        )}
        <Button
          variant="quiet"
          size="sm"
          aria-pressed={gantt.isShown}
          onClick={gantt.toggle}
          title="When it did what (G G)"
          className="aria-pressed:bg-hover"
        >
          <ChartGantt aria-hidden="true" />
          <span className="max-sm:sr-only">Gantt</span>
        </Button>
        <Button variant="quiet" size="sm" onClick={goToError} title="Go to the first error (E)">
          <CircleX aria-hidden="true" />
          <span className={errors === null ? "max-sm:sr-only" : ""}>{errors ?? "First error"}</span>
        </Button>
        {following !== null && (
          <Button
            variant="quiet"
            size="sm"
            aria-pressed={following.isFollowing}
            onClick={following.toggle}
            title={following.isFollowing ? "Stop following (F)" : "Follow what is new (F)"}
          >
            {following.isFollowing ? (
              <Pause aria-hidden="true" />
            ) : (
              <ArrowDownToLine aria-hidden="true" />
            )}
            <span className="max-sm:sr-only">{following.isFollowing ? "Following" : "Follow"}</span>
          </Button>
        )}
        <ExportMenu taskId={taskId} onPrint={props.onPrint} />
      </span>
    </div>
  );
}

const saidMillis = 2500;

/** What the button says instead of its name, for a while, and what it does. */
function useFirstError(onFirstError: () => Promise<boolean>): [string | null, () => void] {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), saidMillis);
    return () => clearTimeout(timer);
  }, [said]);
  const go = () =>
    void onFirstError().then(
      (isFound) => setSaid(isFound ? null : "No error so far"),
      () => setSaid("Could not be searched"),
    );
  return [said, go];
}
