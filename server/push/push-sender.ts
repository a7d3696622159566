import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import webPush from "web-push";
import type { Access } from "../core/access.ts";
import type { Clock } from "../core/clock.ts";
import { Forbidden, InvalidInput } from "../core/errors.ts";
import { type QuestionNotice, questionNotice } from "../core/question-notice.ts";
import type { QuestionData, Urgency } from "../core/task-question.ts";
import { secondsBetween, toTimestamp } from "../core/timestamp.ts";
import type { EngineLog } from "../engine/engine-log.ts";
import type { TaskManager } from "../engine/task-manager.ts";
import type { Caller } from "../identity/caller.ts";
import type { PushStore, PushTargetRecord } from "../stores/push-store.ts";
import { checkEndpoint, type PostPush, postPush } from "./push-post.ts";

const maxTargetsOfPerson = 20;
/** Seconds before a message is tried again: a push service that is busy says so. */
const retrySeconds = [2, 10, 60];
/** Seconds that push services keep a message at most: four weeks. */
const maxKeptSeconds = 2_419_200;

/** The pair by which push services know this server. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

export interface PushOptions {
  store: PushStore;
  manager: TaskManager;
  keys: PushKeys;
  /** Whom a push service may write to about this server: a `mailto:` or `https:` URL. */
  contact: string;
  clock: Clock;
  log: EngineLog;
  /** What the person with this id may do; null when there is nobody of that id any more. */
  accessOf(personId: string): Access | null;
  /** For tests: a push service of their own. */
  post?: PostPush;
  checkEndpoint?: (endpoint: string) => void;
}

/** What a browser gives to be told. */
export interface PushWish {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  urgencies: Urgency[];
  types: string[] | null;
}

/** Tells browsers of questions through their push services, also while no page is open. */
export class PushSender {
  readonly #options: PushOptions;
  readonly #closing = new AbortController();

  constructor(options: PushOptions) {
    this.#options = options;
  }

  /** What browsers subscribe with. */
  get publicKey(): string {
    return this.#options.keys.publicKey;
  }

  /** Begins to tell, until {@link stop}. */
  start(): void {
    void this.#follow();
  }

  stop(): void {
    this.#closing.abort();
  }

  /** Keeps a browser of this person's. @throws Forbidden, InvalidInput */
  async put(caller: Caller, wish: PushWish): Promise<void> {
    const { store, clock } = this.#options;
    requirePerson(caller);
    (this.#options.checkEndpoint ?? checkEndpoint)(wish.endpoint);
    const now = toTimestamp(clock.now());
    const targetId = idOf(wish.endpoint);
    const others = (await store.list(now)).filter(
      (target) => target.personId === caller.actor.id && target.targetId !== targetId,
    );
    if (others.length >= maxTargetsOfPerson) {
      throw new InvalidInput(
        `You are told in ${maxTargetsOfPerson} browsers already. Switch push off in one of them.`,
      );
    }
    const session = caller.handles.find((handle) => handle.startsWith("session:"));
    const target = {
      targetId,
      personId: caller.actor.id,
      sessionId: session?.slice("session:".length) ?? null,
      endpoint: wish.endpoint,
      ...wish.keys,
      urgencies: wish.urgencies,
      types: wish.types,
      createdAt: now,
    };
    // What cannot be encrypted to is found out now, and not when somebody should be told.
    this.#encrypt(target, "{}", 60);
    await store.put(target);
  }

  /** Forgets a browser of this person's; another's stays. @throws Forbidden */
  async remove(caller: Caller, endpoint: string): Promise<void> {
    const { store, clock } = this.#options;
    requirePerson(caller);
    const targets = await store.list(toTimestamp(clock.now()));
    const own = targets.find(
      (target) => target.targetId === idOf(endpoint) && target.personId === caller.actor.id,
    );
    if (own) await store.remove(own.targetId);
  }

  async #follow(): Promise<void> {
    const { manager, log } = this.#options;
    const { signal } = this.#closing;
    let afterPosition: number | null = null;
    while (!signal.aborted) {
      try {
        for await (const message of manager.followFeed({ afterPosition, signal })) {
          if (message.kind === "task") continue;
          afterPosition = message.position;
          if (message.kind !== "event" || message.event.kind !== "question_opened") continue;
          const { question, task } = message;
          if (question?.outcome === null) {
            void this.#tell(question, task).catch((error: unknown) =>
              log.warn("A question was not pushed", { error: String(error) }),
            );
          }
        }
        return;
      } catch (error) {
        log.warn("Questions are not pushed for a moment", { error: String(error) });
        await pause(5000, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #tell(question: QuestionData, task: Parameters<Access["mayAnswer"]>[0]): Promise<void> {
    const { store, clock, accessOf } = this.#options;
    const targets = await store.list(toTimestamp(clock.now()));
    const notice = questionNotice(question, task.type);
    const wanting = targets.filter(
      ({ personId, urgencies, types }) =>
        urgencies.includes(question.urgency) &&
        (types === null || types.includes(task.type)) &&
        accessOf(personId)?.mayAnswer(task),
    );
    await Promise.all(wanting.map((target) => this.#send(target, notice, question)));
  }

  async #send(
    target: PushTargetRecord,
    notice: QuestionNotice,
    { questionId, deadline, urgency }: QuestionData,
  ): Promise<void> {
    const { store, manager, clock, log, post = postPush } = this.#options;
    for (const seconds of [...retrySeconds, null]) {
      const left = Math.floor(secondsBetween(toTimestamp(clock.now()), deadline));
      if (left <= 0) return;
      const message = this.#encrypt(target, JSON.stringify(notice), left, urgency, questionId);
      const status = await post(message).catch((error: unknown) => String(error));
      if (typeof status === "number" && status >= 200 && status < 300) return;
      // The browser is gone, or has been told to forget us.
      if (status === 404 || status === 410) return store.remove(target.targetId);
      const isWorthRetrying = typeof status === "string" || status === 429 || status >= 500;
      if (seconds === null || !isWorthRetrying) {
        log.warn("A push service did not take a message", { status, service: hostOf(target) });
        return;
      }
      await pause(seconds * 1000, undefined, { signal: this.#closing.signal }).catch(() => {});
      if (this.#closing.signal.aborted) return;
      if ((await manager.getQuestion(questionId)).outcome !== null) return;
    }
  }

  /** @throws InvalidInput for keys that are none. */
  #encrypt(
    { endpoint, p256dh, auth }: Pick<PushTargetRecord, "endpoint" | "p256dh" | "auth">,
    payload: string,
    secondsLeft: number,
    urgency: Urgency = "normal",
    questionId = "",
  ) {
    const { keys, contact } = this.#options;
    try {
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        payload,
        {
          vapidDetails: { subject: contact, ...keys },
          TTL: Math.min(secondsLeft, maxKeptSeconds),
          urgency,
          // A second message about a question takes the place of one not delivered yet.
          topic: createHash("sha256").update(questionId).digest("base64url").slice(0, 32),
        },
      );
      return { endpoint, headers: headers as Record<string, string>, body };
    } catch (error) {
      throw new InvalidInput(`This is no browser's subscription: ${(error as Error).message}`);
    }
  }
}

function requirePerson({ actor }: Caller): void {
  if (actor.kind !== "operator") throw new Forbidden("Only a person's browser can be told.");
}

function idOf(endpoint: string): string {
  return createHash("sha256").update(endpoint).digest("hex");
}

function hostOf({ endpoint }: PushTargetRecord): string {
  return new URL(endpoint).host;
}
