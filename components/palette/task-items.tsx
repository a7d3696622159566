"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { api } from "../api/api-client.ts";
import { StatusGlyph } from "../tasks/status-glyph.tsx";
import { RelativeTime } from "../time/relative-time.tsx";
import { Group, Item } from "./palette-item.tsx";

const shown = 6;

/** The tasks that the server finds by what was typed. */
export function TaskItems({ text, onGo }: { text: string; onGo: (path: string) => void }) {
  // A slow machine may search less often than somebody types.
  const asked = useDeferredValue(text);
  const { data } = useQuery({
    queryKey: ["palette-tasks", asked],
    queryFn: ({ signal }) => api.tasks.list.query({ text: asked, limit: shown }, { signal }),
    enabled: asked.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    gcTime: 60_000,
  });
  if (text.length <= 1 || !data?.items.length) return null;
  return (
    <Group heading="Tasks">
      {data.items.map((task) => (
        <Item
          key={task.taskId}
          foundBy={text}
          value={`task ${task.taskId}`}
          onSelect={() => onGo(`/tasks/${task.taskId}`)}
        >
          <StatusGlyph status={task.status} />
          <bdi className="truncate">{task.type}</bdi>
          <bdi className="min-w-0 truncate font-mono text-ink-3 text-sm">{task.taskId}</bdi>
          <RelativeTime at={task.createdAt} className="ml-auto shrink-0 text-ink-3 text-sm" />
        </Item>
      ))}
    </Group>
  );
}
