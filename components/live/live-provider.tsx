"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { applyFeed } from "./apply-feed.ts";
import type { ConnectionState } from "./connection-state.ts";
import { FeedBuffer } from "./feed-buffer.ts";
import type { FeedMessage } from "./feed-message.ts";
import { paced } from "./paced.ts";
import { SharedFeed } from "./shared-feed.ts";

interface Live {
  state: ConnectionState;
  /** Whether this tab has the browser's stream: exactly one of the open tabs does. */
  leads: boolean;
  reconnect: () => void;
}

const LiveContext = createContext<Live>({ state: "connecting", leads: false, reconnect: () => {} });

/** The state of the browser's one stream. */
export function useLive(): Live {
  return useContext(LiveContext);
}

const feedListeners = new Set<(message: FeedMessage) => void>();

/** Hears each message of the feed at once, also where a hidden tab's timers would keep it back. */
export function onFeedMessage(listener: (message: FeedMessage) => void): () => void {
  feedListeners.add(listener);
  return () => feedListeners.delete(listener);
}

/** Shares in the browser's one stream and keeps every cached query current with it. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<ConnectionState>("connecting");
  const [leads, setLeads] = useState(false);
  const [connection, setConnection] = useState<SharedFeed | null>(null);

  useEffect(() => {
    const stats = paced(1000, () => void client.invalidateQueries({ queryKey: ["stats"] }));
    const buffer = new FeedBuffer<FeedMessage>((messages) =>
      applyFeed(client, messages, stats.run),
    );
    const opened = new SharedFeed({
      onMessage: (message) => {
        buffer.add(message);
        for (const listener of feedListeners) listener(message);
      },
      onState: setState,
      onLead: setLeads,
    });
    opened.open();
    setConnection(opened);
    return () => {
      opened.close();
      buffer.flush();
      stats.stop();
    };
  }, [client]);

  const live = useMemo(
    () => ({ state, leads, reconnect: () => connection?.reconnect() }),
    [state, leads, connection],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}
