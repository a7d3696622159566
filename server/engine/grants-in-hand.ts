import { checkGrant, type GrantUse } from "../core/approval.ts";
import { GrantRefused, InvalidInput } from "../core/errors.ts";
import { type JsonValue, toJsonValue } from "../core/json.ts";
import type { GrantedArgs } from "../core/task-context.ts";
import { toTimestamp } from "../core/timestamp.ts";
import type { AttemptParts } from "./attempt-parts.ts";
import { jsonDigest } from "./json-digest.ts";

/** A grant that a step of this attempt is about to use. */
interface GrantInHand {
  /** Looks whether it can be used at this moment. @throws GrantRefused */
  check(): Promise<GrantUse>;
  /** What it was given for; a copy, so that each try of the step begins with the same. */
  args(): JsonValue;
  giveBack(): void;
}

/**
 * The grants that steps of one attempt have in hand. The write that records a step refuses a grant
 * that was used; by then its function has run. So a grant is looked at before, and two steps at once
 * never have the same one.
 */
export class GrantsInHand {
  readonly #shared: AttemptParts;
  readonly #taken = new Map<string, string>();

  constructor(shared: AttemptParts) {
    this.#shared = shared;
  }

  /** @throws GrantRefused while another step has it; @throws InvalidInput when it is none. */
  take(step: string, granted: GrantedArgs<unknown>): GrantInHand {
    const { attempt, engine } = this.#shared;
    const questionId: unknown = granted?.grant?.questionId;
    if (typeof questionId !== "string") {
      throw new InvalidInput(
        `Step "${step}" needs { grant, args } with the grant of a ctx.approve, and then its function.`,
      );
    }
    const args = toJsonValue(granted.args ?? null, "args");
    const argsDigest = jsonDigest(args);
    const holder = this.#taken.get(questionId);
    if (holder !== undefined) {
      throw new GrantRefused(`This grant cannot be used: step "${holder}" is using it.`, {
        reason: "used",
        questionId,
      });
    }
    this.#taken.set(questionId, step);
    return {
      check: async () => {
        const use = { questionId, argsDigest, at: toTimestamp(engine.clock.now()) };
        checkGrant(await engine.store.getQuestion(questionId), attempt.task.taskId, use);
        // The look may have taken a while, in which the task was cancelled or taken away.
        attempt.requireLive();
        return use;
      },
      args: () => structuredClone(args),
      giveBack: () => this.#taken.delete(questionId),
    };
  }
}
