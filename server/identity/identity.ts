import { hashPassword } from "better-auth/crypto";
import { Access, type TypeRules } from "../core/access.ts";
import type { Clock } from "../core/clock.ts";
import type { TypeAccess } from "../core/permission.ts";
import type { SignOnSettings } from "../core/sign-on.ts";
import type { EngineLog } from "../engine/engine-log.ts";
import type { IdentityStore } from "../stores/identity-store.ts";
import { AgentKeys, expired } from "./agent-keys.ts";
import { AttemptLimiter } from "./attempt-limiter.ts";
import { CallLimits } from "./call-limits.ts";
import type { Caller, IdentityEvent, NoteIdentityEvent } from "./caller.ts";
import { OpenCalls } from "./open-calls.ts";
import { OperatorSessions } from "./operator-sessions.ts";
import { Passkeys } from "./passkeys.ts";
import { People } from "./people.ts";
import { SingleSignOn } from "./single-sign-on.ts";
import { TypeRuleBook } from "./type-rule-book.ts";

export interface IdentityOptions {
  store: IdentityStore;
  clock: Clock;
  log: EngineLog;
  /** Signs sessions. */
  secret: string;
  /** `TOOLTHREAD_API_KEY`. */
  apiKey: string | null;
  /** The rules that task types bring along, as they are now. */
  rulesInCode(): TypeRules;
  /** A provider at which people may sign in. */
  signOn?: SignOnSettings | null;
  /** Calls a second that one caller may make; any number when not given. */
  callsPerSecond?: number;
  /** Polls and streams that one caller may have open; any number when not given. */
  maxOpenCalls?: number;
  /** Told of every event, beside the log. */
  onEvent?: NoteIdentityEvent;
}

/** Who there is and what they may do: people, sessions, agents' keys, and rules of task types. */
export class Identity {
  readonly people: People;
  readonly sessions: OperatorSessions;
  readonly passkeys: Passkeys;
  /** Counts passkeys that sign nobody in, by address. */
  readonly passkeyLimiter: AttemptLimiter;
  /** Null where there is no provider. */
  readonly signOn: SingleSignOn | null;
  readonly keys: AgentKeys;
  readonly rules: TypeRuleBook;
  readonly openCalls: OpenCalls;
  /** Null where everybody may call as often as they like. */
  readonly callLimits: CallLimits | null;
  /** Counts wrong tokens of set-up and invite links, by address. */
  readonly linkLimiter: AttemptLimiter;
  /** Counts answers of the provider that let nobody in, by address. */
  readonly signOnLimiter: AttemptLimiter;
  readonly #store: IdentityStore;
  readonly #note: NoteIdentityEvent;

  private constructor(parts: {
    people: People;
    sessions: OperatorSessions;
    signOn: SignOnSettings | null;
    secret: string;
    log: EngineLog;
    keys: AgentKeys;
    rules: TypeRuleBook;
    openCalls: OpenCalls;
    callLimits: CallLimits | null;
    linkLimiter: AttemptLimiter;
    signOnLimiter: AttemptLimiter;
    passkeys: Passkeys;
    passkeyLimiter: AttemptLimiter;
    store: IdentityStore;
    note: NoteIdentityEvent;
  }) {
    this.people = parts.people;
    this.sessions = parts.sessions;
    this.keys = parts.keys;
    this.rules = parts.rules;
    this.openCalls = parts.openCalls;
    this.callLimits = parts.callLimits;
    this.linkLimiter = parts.linkLimiter;
    this.signOnLimiter = parts.signOnLimiter;
    this.passkeys = parts.passkeys;
    this.passkeyLimiter = parts.passkeyLimiter;
    this.#store = parts.store;
    this.#note = parts.note;
    const { signOn: settings, secret, people, sessions, log } = parts;
    this.signOn =
      settings &&
      new SingleSignOn({
        settings,
        secret,
        people,
        sessions,
        changeGroups: (userId, groups, by) => this.changePerson(userId, { groups }, by),
        log,
      });
  }

  static async open(options: IdentityOptions): Promise<Identity> {
    const { store, clock, log, secret, apiKey, rulesInCode } = options;
    const note = (event: IdentityEvent) => {
      logEvent(log, event);
      options.onEvent?.(event);
    };
    const limiter = (what: string, limit: number, windowSeconds: number) =>
      new AttemptLimiter({
        limit,
        windowSeconds,
        onBlock: (key, from) =>
          note({ kind: "attempts_blocked", ...from, details: { what, of: key } }),
      });
    const openCalls = new OpenCalls(clock, expired, options.maxOpenCalls);
    const { callsPerSecond } = options;
    const callLimits = callsPerSecond === undefined ? null : new CallLimits(callsPerSecond);
    const rules = new TypeRuleBook(rulesInCode, await store.listTypeRules());
    const people = await People.open({ store, clock, hashPassword, note });
    const sessions = new OperatorSessions({
      store,
      clock,
      secret,
      people,
      rules,
      openCalls,
      limits: {
        address: limiter("passwords from an address", 10, 900),
        account: limiter("passwords of an account", 50, 900),
      },
      note,
      log,
    });
    const keys = await AgentKeys.open({
      store,
      clock,
      people,
      rules,
      openCalls,
      limiter: limiter("keys from an address", 20, 60),
      note,
      settingsKey: apiKey,
      onError: (error) => log.warn("The use of a key was not noted", { error: String(error) }),
    });
    const linkLimiter = limiter("links from an address", 20, 900);
    const signOnLimiter = limiter("single sign-on from an address", 20, 900);
    const signOn = options.signOn ?? null;
    const passkeyLimiter = limiter("passkeys from an address", 20, 900);
    const limiters = { linkLimiter, signOnLimiter, passkeyLimiter };
    const passkeys = new Passkeys({ store: store.passkeys, secret, people, clock, note });
    const parts = { people, sessions, passkeys, keys, rules, openCalls, ...limiters, store, note };
    return new Identity({ ...parts, callLimits, signOn, secret, log });
  }

  /** Changes a person's rights, at once also for what they have open. */
  async changePerson(
    userId: string,
    change: Parameters<People["change"]>[1],
    by: Pick<Caller, "actor">,
  ): ReturnType<People["change"]> {
    const person = await this.people.change(userId, change, by);
    this.sessions.forget(userId);
    if (person.disabledAt !== null) await this.keys.revokeOf(userId, by);
    return person;
  }

  /** What a person may do, session or none; null when there is nobody of that id, or shut out. */
  accessOf(userId: string): Access | null {
    const person = this.people.find(userId);
    if (!person || person.disabledAt !== null) return null;
    const { role, groups } = person;
    return new Access({ kind: "person", role, groups }, this.rules.current);
  }

  /** Sets who may see, start and answer tasks of a type; null gives the rule in code its place. */
  async setTypeRule(type: string, access: TypeAccess | null, by: Caller): Promise<void> {
    const before = this.rules.setFor(type) ?? null;
    await this.#store.setTypeRule(type, access);
    this.rules.change(type, access);
    this.#note({
      kind: "type_rule_changed",
      actor: by.actor,
      address: by.actor.address ?? null,
      details: { type, before, after: access },
    });
  }
}

const worrying: ReadonlySet<IdentityEvent["kind"]> = new Set([
  "sign_in_failed",
  "key_refused",
  "attempts_blocked",
]);

function logEvent(log: EngineLog, event: IdentityEvent): void {
  const { kind, actor, surface = actor?.surface, address, details } = event;
  const who = actor && { id: actor.id, name: actor.name };
  const data = { kind, actor: who, surface, address, ...details };
  if (worrying.has(kind)) log.warn("Identity", data);
  else log.info("Identity", data);
}
