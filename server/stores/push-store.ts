import type { Urgency } from "../core/task-question.ts";
import type { Timestamp } from "../core/timestamp.ts";

/** A browser that is to be told of questions while no page is open in it. */
export interface PushTargetRecord {
  /** SHA-256 of the endpoint, in hex. */
  targetId: string;
  /** Id of the person it is told for, as in their actor. */
  personId: string;
  /** It ends with this session; null where nobody signs in. */
  sessionId: string | null;
  /** Where the browser's push service takes messages for it. */
  endpoint: string;
  /** The browser's keys, to which messages are encrypted. */
  p256dh: string;
  auth: string;
  urgencies: Urgency[];
  /** Null for all task types. */
  types: string[] | null;
  createdAt: Timestamp;
}

/** Where browsers are kept that want to be told. @throws StoreUnavailable from every method. */
export interface PushStore {
  /** Those whose session, where they have one, has not run out at `now`. */
  list(now: Timestamp): Promise<PushTargetRecord[]>;
  /** Adds one, or puts it in the place of what is kept of the same browser. */
  put(target: PushTargetRecord): Promise<void>;
  remove(targetId: string): Promise<void>;
}
