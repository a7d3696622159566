"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { applyFeed } from "./apply-feed.ts";
import type { ConnectionState } from "./connection-state.ts";
import { FeedBuffer } from "./feed-buffer.ts";
import type { FeedMessage } from "./feed-message.ts";
import { FeedStream } from "./feed-stream.ts";
import { paced } from "./paced.ts";

interface Live {
  state: ConnectionState;
  reconnect: () => void;
}

const LiveContext = createContext<Live>({ state: "connecting", reconnect: () => {} });

/** The state of the tab's stream. */
export function useLive(): Live {
  return useContext(LiveContext);
}

/** Opens the tab's one stream and keeps every cached query current with it. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [state, setState] = useState<ConnectionState>("connecting");
  const [connection, setConnection] = useState<FeedStream | null>(null);

  useEffect(() => {
    const stats = paced(1000, () => void client.invalidateQueries({ queryKey: ["stats"] }));
    const buffer = new FeedBuffer<FeedMessage>((messages) =>
      applyFeed(client, messages, stats.run),
    );
    const opened = new FeedStream({
      onMessage: (_id, json) => buffer.add(JSON.parse(json)),
      onState: setState,
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
    () => ({ state, reconnect: () => connection?.reconnect() }),
    [state, connection],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}
