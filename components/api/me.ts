import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Permission } from "@/server/core/permission.ts";
import { api } from "./api-client.ts";

/** Who is signed in, and what they may do. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => api.system.info.query(),
  staleTime: 60_000,
});

/**
 * False once it is known that whoever is signed in may not do this; the server decides in any case.
 * Until then true, so that nothing moves for those who may.
 */
export function useMay(permission: Permission): boolean {
  return useQuery(meQuery).data?.permissions.includes(permission) ?? true;
}
