import { queryOptions } from "@tanstack/react-query";
import { authCall } from "../entry/auth-call.ts";
import { api } from "./api-client.ts";

/** A browser in which one is signed in. */
export interface OwnSession {
  sessionId: string;
  userAgent: string | null;
  address: string | null;
  createdAt: string;
  lastSeenAt: string;
  isThis: boolean;
}

/** How one signs in oneself. */
export interface OwnWays {
  hasPassword: boolean;
  signOn: { name: string; isConnected: boolean } | null;
  passkeys: OwnPasskey[];
}

export interface OwnPasskey {
  passkeyId: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

// Not told of by the live feed, so these are read anew whenever their page is opened.
export const identityQueries = {
  keys: () =>
    queryOptions({ queryKey: ["keys"], queryFn: () => api.keys.list.query(), staleTime: 0 }),

  people: () =>
    queryOptions({ queryKey: ["people"], queryFn: () => api.people.list.query(), staleTime: 0 }),

  sessions: () =>
    queryOptions({
      queryKey: ["sessions"],
      queryFn: () => authCall<{ items: OwnSession[] }>("sessions", {}),
      staleTime: 0,
    }),

  ownWays: () =>
    queryOptions({
      queryKey: ["own-ways"],
      queryFn: () => authCall<OwnWays>("own-ways", {}),
      staleTime: 0,
    }),

  rules: () =>
    queryOptions({ queryKey: ["rules"], queryFn: () => api.settings.rules.query(), staleTime: 0 }),
};
