import { api } from "../api/api-client.ts";
import { firstError } from "./entries.ts";
import type { LoadedEvents } from "./timeline-events.ts";

/** `seq` of the first event that tells of something gone wrong; null when there is none. */
export async function findFirstError(taskId: string, loaded: LoadedEvents): Promise<number | null> {
  for (let afterSeq = 0; afterSeq < loaded.earlier; ) {
    const { items, searchedTo, hasMore } = await api.tasks.searchEvents.query({
      taskId,
      level: "error",
      afterSeq,
      untilSeq: loaded.earlier,
      limit: 1,
    });
    if (items[0]) return items[0].seq;
    if (!hasMore) break;
    afterSeq = searchedTo;
  }
  return firstError(loaded.events)?.seq ?? null;
}
