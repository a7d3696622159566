import { type Actor, libraryActor } from "../core/actor.ts";
import { isDriven } from "../core/driver.ts";
import { Conflict, InvalidInput, ShuttingDown } from "../core/errors.ts";
import { canonicalJson, type JsonValue, jsonEquals, toJsonValue } from "../core/json.ts";
import type { Labels, TaskRecord } from "../core/task.ts";
import { parseTimestamp, type Timestamp, toTimestamp } from "../core/timestamp.ts";
import { concurrencyKeyOf } from "./concurrency-of.ts";
import type { EngineParts } from "./engine-parts.ts";
import { jsonDigest } from "./json-digest.ts";
import { KnownSecrets } from "./known-secrets.ts";
import type { Runner } from "./runner.ts";
import type { ParsedParams } from "./task-type-registry.ts";

/** Who calls; the program itself when not given. */
export interface CallOptions {
  actor?: Actor;
}

export interface StartOptions extends CallOptions {
  /** The same key, actor and type start one task, however often the call is repeated. */
  idempotencyKey?: string;
  /** Higher runs first; 0 when not given. A whole number. */
  priority?: number;
  /** Up to 20 short key-value pairs, for finding the task. */
  labels?: Labels;
  /** Earliest start: an ISO timestamp. */
  startAfter?: Timestamp;
}

export interface RerunOptions extends CallOptions {
  /** Other parameters; the same ones when not given. */
  params?: unknown;
  /** As for a start: the same key gives the same rerun. */
  idempotencyKey?: string;
}

/** Where a new task comes from. */
export interface Origin {
  parentTaskId?: string;
  rerunOf?: string;
  /** What the parent's secrets are: a child gets them as secrets or not at all. */
  parentSecrets?: KnownSecrets;
}

/** What came of a start; `created` is false when the idempotency key had started the task before. */
export interface Started {
  task: TaskRecord;
  created: boolean;
}

/** Checks what a caller wants started, writes it, and runs it at once where a slot is free. */
export class TaskStarter {
  readonly #parts: EngineParts;
  readonly #runner: Runner;
  #isClosed = false;

  constructor(parts: EngineParts, runner: Runner) {
    this.#parts = parts;
    this.#runner = runner;
  }

  /** From now on starts are refused. */
  close(): void {
    this.#isClosed = true;
  }

  /** @throws UnknownTaskType, InvalidParams, InvalidInput, IdempotencyConflict, ShuttingDown */
  async start(
    type: string,
    params: unknown,
    options: StartOptions,
    origin: Origin = {},
  ): Promise<Started> {
    this.refuseWhenClosed(origin);
    const { types, clock, store, makeId, secrets } = this.#parts;
    const parsed = await types.parseParams(type, params);
    const { idempotencyKey = null, labels = {}, priority = 0 } = options;
    checkStartOptions(options);
    const { startAfter } = options;
    const runAt = startAfter === undefined ? null : toTimestamp(parseTimestamp(startAfter));
    const known = this.#secretsOf(type, parsed, origin);
    refuseSecretIn(known, { "an idempotency key": idempotencyKey, "a label": labels });
    const [requestDigest = null, ...olderDigests] =
      idempotencyKey === null ? [] : this.#digestsOf(parsed);
    this.refuseWhenClosed(origin);
    const taskId = makeId("task");
    const sealedParams = secrets.sealParams(taskId, parsed.secrets);
    const concurrencyKey = this.#concurrencyKeyOf(type, parsed, known);
    const lease =
      runAt === null ? this.#runner.takeSlotForStart(taskId, type, concurrencyKey) : null;
    try {
      const started = await store.commit({
        kind: "start",
        taskId,
        at: clock.now(),
        type,
        params: parsed.shown,
        sealedParams,
        actor: options.actor ?? libraryActor,
        runAt,
        priority,
        labels,
        concurrencyKey,
        parentTaskId: origin.parentTaskId ?? null,
        rerunOf: origin.rerunOf ?? null,
        idempotencyKey,
        requestDigest,
        olderDigests,
        lease,
      });
      if (lease && started.created) this.#runner.began(started.task, parsed.params, known);
      else if (lease) this.#runner.notBegun(taskId, type, concurrencyKey);
      return started;
    } catch (error) {
      if (lease) this.#runner.notBegun(taskId, type, concurrencyKey);
      throw error;
    }
  }

  /**
   * Starts a finished task again, linked to it, with the same parameters or others.
   *
   * @throws Conflict while it has not finished.
   */
  async rerun(
    task: TaskRecord,
    params: unknown,
    options: Omit<RerunOptions, "params">,
  ): Promise<Started> {
    const { taskId, type, finishedAt, priority, labels } = task;
    if (isDriven(task) && !this.#parts.types.find(type)) {
      throw new Conflict(
        `Task ${taskId} was driven from outside: run again the program that did.`,
        { type },
      );
    }
    if (finishedAt === null) {
      throw new Conflict(
        `Task ${taskId} has not finished (${task.status}). Wait for its end, or cancel it first.`,
        { status: task.status },
      );
    }
    const shown = (await this.#parts.store.getPayload(taskId))?.params ?? null;
    const given = params === undefined ? shown : toJsonValue(params, "params");
    // Secrets are kept only where everything else is: else whoever may rerun a task could have them
    // sent elsewhere by another parameter.
    const same = jsonEquals(given, shown)
      ? (await this.#parts.secrets.readParams(taskId, shown)).params
      : given;
    return this.start(type, same, { ...options, priority, labels }, { rerunOf: taskId });
  }

  /**
   * The secrets a new task knows from its start.
   *
   * @throws InvalidInput for a parent's secret in the clear.
   */
  #secretsOf(type: string, { shown, secrets }: ParsedParams, origin: Origin): KnownSecrets {
    if (origin.parentSecrets?.occurIn(shown)) {
      throw new InvalidInput(
        `A secret of this task would be a parameter of "${type}" that everybody can read. Mark that ` +
          "parameter as secret in its schema.",
      );
    }
    const known = new KnownSecrets();
    for (const { value } of secrets) known.add(value);
    return known;
  }

  /** Of a request with secrets, digests that do not give them away. */
  #digestsOf({ params, secrets }: ParsedParams): readonly string[] {
    if (secrets.length === 0) return [jsonDigest(params)];
    return this.#parts.secrets.box.digests(canonicalJson(params));
  }

  #concurrencyKeyOf(type: string, { params }: ParsedParams, known: KnownSecrets): string | null {
    const key = concurrencyKeyOf(this.#parts.types.require(type).options, params);
    if (key === null || !known.occurIn(key)) return key;
    return `${type} ${this.#parts.secrets.box.digests(key)[0]}`;
  }

  /**
   * A handler that is let finish may start its children; another process will run them.
   *
   * @throws ShuttingDown
   */
  refuseWhenClosed({ parentTaskId }: Origin = {}): void {
    if (!this.#isClosed || parentTaskId !== undefined) return;
    throw new ShuttingDown("The server is shutting down and starts no tasks. Try again shortly.");
  }
}

/** @throws InvalidInput where a secret parameter is also something that everybody can read. */
function refuseSecretIn(known: KnownSecrets, others: Record<string, JsonValue>): void {
  const [what] = Object.entries(others).find(([, value]) => known.occurIn(value)) ?? [];
  if (what === undefined) return;
  throw new InvalidInput(
    `A secret parameter must not be in ${what}, which is stored in the clear.`,
  );
}

/** @throws InvalidInput saying which option cannot be used. */
export function checkStartOptions(
  options: Pick<StartOptions, "idempotencyKey" | "labels" | "priority">,
): void {
  const { idempotencyKey = null, labels = {}, priority = 0 } = options;
  checkIdempotencyKey(idempotencyKey);
  checkLabels(labels);
  if (!Number.isSafeInteger(priority) || Math.abs(priority) > 1_000_000) {
    throw new InvalidInput(`priority is a whole number within a million, not ${priority}.`);
  }
}

function checkIdempotencyKey(key: string | null): void {
  if (key !== null && (key === "" || key.length > 200)) {
    throw new InvalidInput("An idempotency key has 1 to 200 characters.");
  }
}

function checkLabels(labels: Labels): void {
  const pairs = Object.entries(labels);
  if (pairs.length > 20) throw new InvalidInput("A task has at most 20 labels.");
  for (const [key, value] of pairs) {
    if (!/^[\w.:/-]{1,60}$/.test(key)) {
      throw new InvalidInput(
        `The label "${key.slice(0, 80)}" needs a name of 1 to 60 letters, digits or . _ : / -.`,
      );
    }
    if (typeof value !== "string" || value.length > 200) {
      throw new InvalidInput(`The label "${key}" needs a text of at most 200 characters.`);
    }
  }
}
