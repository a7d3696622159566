"use client";

import type { ConnectionState } from "../live/connection-state.ts";
import { useLive } from "../live/live-provider.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/cn.ts";

const looks: Record<ConnectionState, { label: string; title: string; dot: string; text: string }> =
  {
    connecting: {
      label: "Connecting",
      title: "Connecting to the server",
      dot: "bg-pending-solid animate-pulse",
      text: "text-ink-3",
    },
    live: {
      label: "Live",
      title: "What you see is current",
      dot: "bg-completed-solid",
      text: "text-ink-2",
    },
    reconnecting: {
      label: "Reconnecting",
      title: "The connection dropped; it is being made again",
      dot: "bg-waiting-solid animate-pulse",
      text: "text-waiting",
    },
    lost: {
      label: "Connection lost",
      title: "What you see may be old",
      dot: "bg-failed-solid",
      text: "text-failed",
    },
  };

/** The state of the live connection, in a word. */
export function ConnectionStatus({
  className,
  isTight,
}: {
  className?: string;
  /** On a narrow phone the dot alone; what is wrong stands in the banner. */
  isTight?: boolean;
}) {
  const { state } = useLive();
  const { label, title, dot, text } = looks[state];
  return (
    <p
      role="status"
      title={title}
      data-connection={state}
      className={cn("flex items-center gap-2 text-sm", text, className)}
    >
      <span className={cn("size-2 shrink-0 rounded-full", dot)} aria-hidden="true" />
      <span className={cn(isTight && "max-[27rem]:sr-only")}>{label}</span>
    </p>
  );
}

/** Says across the page that what it shows may be old. */
export function LostBanner() {
  const { state, reconnect } = useLive();
  if (state !== "lost") return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-failed-solid/30 border-b bg-failed-tint px-4 py-1.5 text-failed">
      <p className="min-w-0 flex-1">
        <strong className="font-semibold">Connection lost.</strong> What you see may be old. It
        catches up by itself.
      </p>
      <Button size="sm" onClick={reconnect}>
        Try now
      </Button>
    </div>
  );
}
