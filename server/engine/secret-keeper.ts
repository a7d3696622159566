import type { DurableTaskStore } from "../core/durable-task-store.ts";
import { InvalidInput } from "../core/errors.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import {
  answerPlace,
  paramsPlace,
  type Sealed,
  type SecretBox,
  secretMask,
} from "../core/secret-box.ts";
import type { QuestionData } from "../core/task-question.ts";
import { joinSecrets, type SecretPart } from "./secret-parts.ts";

/** Seals the secret values of tasks, and opens them for those who may have them. */
export class SecretKeeper {
  readonly #box: SecretBox | null;
  readonly #store: Pick<DurableTaskStore, "getSealed">;

  /** @param box null where secrets cannot be kept, and are refused. */
  constructor(box: SecretBox | null, store: Pick<DurableTaskStore, "getSealed">) {
    this.#box = box;
    this.#store = store;
  }

  /** @throws InvalidInput where secrets cannot be kept. */
  requireBox(): void {
    void this.box;
  }

  /** @throws InvalidInput where secrets cannot be kept. */
  get box(): SecretBox {
    if (this.#box) return this.#box;
    throw new InvalidInput(
      "Secrets need something to encrypt them with: pass `secrets: secretBox({ secret })` to the " +
        "TaskManager.",
    );
  }

  seal(taskId: string, place: string, value: JsonValue): Sealed {
    return this.box.seal(value, `${taskId} ${place}`);
  }

  /** @throws SecretUnreadable */
  open(taskId: string, place: string, sealed: Sealed): JsonValue {
    return this.box.open(sealed, `${taskId} ${place}`);
  }

  sealParams(taskId: string, parts: readonly SecretPart[]): Sealed | null {
    if (parts.length === 0) return null;
    const listed = parts.map(({ path, value }) => ({ path: [...path], value }));
    return this.seal(taskId, paramsPlace, listed);
  }

  /** The secret parameters among what is sealed of a task. @throws SecretUnreadable */
  openParams(taskId: string, sealed: ReadonlyMap<string, Sealed>): SecretPart[] {
    const params = sealed.get(paramsPlace);
    if (!params) return [];
    // Made by sealParams, and authentic.
    return this.open(taskId, paramsPlace, params) as unknown as SecretPart[];
  }

  /** Stored parameters with their secrets. @throws SecretUnreadable */
  async readParams(
    taskId: string,
    shown: JsonValue,
  ): Promise<{ params: JsonValue; parts: SecretPart[] }> {
    if (!hasMask(shown)) return { params: shown, parts: [] };
    const parts = this.openParams(taskId, await this.#store.getSealed(taskId));
    return { params: joinSecrets(shown, parts), parts };
  }

  sealAnswer({ taskId, questionId }: QuestionData, answer: JsonValue): Sealed {
    return this.seal(taskId, answerPlace(questionId), answer);
  }

  /** What a question was answered with, also when that is a secret. @throws SecretUnreadable */
  async readAnswer(question: QuestionData): Promise<JsonValue> {
    const { taskId, questionId, answer } = question;
    if (!question.secret || question.outcome !== "answered") return answer;
    const place = answerPlace(questionId);
    const sealed = (await this.#store.getSealed(taskId)).get(place);
    return sealed ? this.open(taskId, place, sealed) : answer;
  }
}

/** Whether something in the value reads `•••`. */
export function hasMask(value: JsonValue): boolean {
  if (value === secretMask) return true;
  if (Array.isArray(value)) return value.some(hasMask);
  return isJsonObject(value) && Object.values(value).some(hasMask);
}
