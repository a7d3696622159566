"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { readApiError } from "../api/api-error.ts";
import { identityQueries, type OwnSession } from "../api/identity-queries.ts";
import { authCall } from "../entry/auth-call.ts";
import { RelativeTime } from "../time/relative-time.tsx";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { deviceText } from "./device-text.ts";

/** Where one is signed in, and the way to end it there. */
export function Sessions() {
  const client = useQueryClient();
  const sessions = useQuery(identityQueries.sessions());
  const end = useMutation({
    mutationFn: (which: { sessionId: string } | { others: true }) =>
      authCall<{ ended: number }>("end-sessions", which),
    onSettled: () => client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  if (sessions.isError) return <FieldError>{readApiError(sessions.error).message}</FieldError>;
  if (sessions.data === undefined) return <Skeleton className="h-16" />;
  const { items } = sessions.data;
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label="Sessions">
        {items.map((session) => (
          <SessionRow
            key={session.sessionId}
            session={session}
            isBusy={end.isPending}
            onEnd={() => end.mutate({ sessionId: session.sessionId })}
          />
        ))}
      </ul>
      {end.error && <FieldError>{end.error.message}</FieldError>}
      {items.length > 1 && (
        <Button
          className="self-start"
          disabled={end.isPending}
          onClick={() => end.mutate({ others: true })}
        >
          End all other sessions
        </Button>
      )}
      <p role="status" className="text-ink-2 empty:hidden">
        {end.isSuccess &&
          `${end.data.ended === 1 ? "1 session" : `${end.data.ended} sessions`} ended.`}
      </p>
    </div>
  );
}

function SessionRow({
  session,
  isBusy,
  onEnd,
}: {
  session: OwnSession;
  isBusy: boolean;
  onEnd: () => void;
}) {
  const { address, createdAt, isThis, lastSeenAt, userAgent } = session;
  const device = deviceText(userAgent);
  return (
    <li
      data-session={isThis ? "this" : "other"}
      className="flex items-center gap-3 py-2 not-last:border-b"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium" title={userAgent ?? undefined}>
          {device}
          {isThis && <span className="ml-2 font-normal text-ink-3 text-sm">this browser</span>}
        </p>
        <p className="text-ink-3 text-sm">
          {address && (
            <>
              <span className="break-all font-mono">{address}</span>
              {" · "}
            </>
          )}
          {!isThis && (
            <>
              seen <RelativeTime at={lastSeenAt} />
              {" · "}
            </>
          )}
          signed in <RelativeTime at={createdAt} />
        </p>
      </div>
      {!isThis && (
        <Button
          size="sm"
          disabled={isBusy}
          onClick={onEnd}
          aria-label={`End the session: ${device}`}
        >
          End
        </Button>
      )}
    </li>
  );
}
