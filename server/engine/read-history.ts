import type { JournalEntry } from "../core/journal.ts";
import type { JsonValue } from "../core/json.ts";
import { paramsPlace, type Sealed, stepPlace } from "../core/secret-box.ts";
import type { TaskRecord } from "../core/task.ts";
import type { TaskEventKind } from "../core/task-event.ts";
import type { EngineParts } from "./engine-parts.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { emptyHistory, type RecordedHistory } from "./replay.ts";
import { hasMask, type SecretKeeper } from "./secret-keeper.ts";
import { joinSecrets } from "./secret-parts.ts";

// Not `question_resolved`: what is posted while a question is open comes after the call that asked.
const questionKinds: readonly TaskEventKind[] = ["question_opened", "attempt_failed"];

/** What a claimed task needs to run. */
interface ClaimedWork {
  /** With the secret ones. */
  params: JsonValue;
  /** What earlier attempts recorded. */
  history: RecordedHistory;
  secrets: KnownSecrets;
}

/** Reads what a claimed task needs to run. @throws SecretUnreadable */
export async function readHistory(
  { store, secrets: keeper }: Pick<EngineParts, "store" | "secrets">,
  task: TaskRecord,
): Promise<ClaimedWork> {
  const { taskId } = task;
  const shown = (await store.getPayload(taskId))?.params ?? null;
  const isFirst = task.attempt === 1;
  const [journal, questions] = isFirst
    ? [[], []]
    : await Promise.all([store.getJournal(taskId), store.getQuestions(taskId)]);
  const mayHaveSecrets =
    hasMask(shown) ||
    journal.some(({ value }) => hasMask(value)) ||
    questions.some(({ secret }) => secret);
  const sealed = mayHaveSecrets ? await store.getSealed(taskId) : new Map<string, Sealed>();
  const secrets = new KnownSecrets();
  const parts = keeper.openParams(taskId, sealed);
  for (const { value } of parts) secrets.add(value);
  for (const [place, value] of sealed) {
    if (place !== paramsPlace) secrets.add(keeper.open(taskId, place, value));
  }
  const params = joinSecrets(shown, parts);
  if (isFirst) return { params, history: emptyHistory, secrets };
  return {
    params,
    secrets,
    history: {
      journal: journal.map((entry) => withSecret(entry, sealed, keeper)),
      questions: questions.filter((question) => !question.forgotten),
      tailUpdates: await readTail(store, task, Math.max(0, ...journal.map((e) => e.afterSeq))),
    },
  };
}

function withSecret(
  entry: JournalEntry,
  sealed: ReadonlyMap<string, Sealed>,
  keeper: SecretKeeper,
): JournalEntry {
  const place = stepPlace(entry.name, entry.key);
  const value = entry.kind === "step" ? sealed.get(place) : undefined;
  return value ? { ...entry, value: keeper.open(entry.taskId, place, value) } : entry;
}

/**
 * Updates posted after the last recorded entry: after a step or sleep, a question, or a failed
 * attempt, whose retry shows its own updates.
 */
async function readTail(
  store: EngineParts["store"],
  { taskId }: TaskRecord,
  afterSeq: number,
): Promise<RecordedHistory["tailUpdates"]> {
  const kinds = [...questionKinds, "update" as const];
  const events = await store.readEvents(taskId, { afterSeq, kinds });
  const last = events.findLastIndex((event) => event.kind !== "update");
  return events.slice(last + 1).flatMap((event) => (event.kind === "update" ? [event] : []));
}
