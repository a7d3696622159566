import { queryOptions } from "@tanstack/react-query";
import { api } from "./api-client.ts";

// Not told of by the live feed, so these are read anew whenever their page is opened.
export const identityQueries = {
  keys: () =>
    queryOptions({ queryKey: ["keys"], queryFn: () => api.keys.list.query(), staleTime: 0 }),

  people: () =>
    queryOptions({ queryKey: ["people"], queryFn: () => api.people.list.query(), staleTime: 0 }),

  rules: () =>
    queryOptions({ queryKey: ["rules"], queryFn: () => api.settings.rules.query(), staleTime: 0 }),
};
