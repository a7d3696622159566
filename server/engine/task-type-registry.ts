import { z } from "zod";
import type { TypeRules } from "../core/access.ts";
import { Conflict, InvalidInput, InvalidParams, UnknownTaskType } from "../core/errors.ts";
import { describeIssues } from "../core/issues.ts";
import { isJsonObject, type JsonObject, type JsonValue, toJsonValue } from "../core/json.ts";
import { secretMask } from "../core/secret-box.ts";
import {
  defaultCancelGraceSeconds,
  type TaskHandler,
  type TaskTypeInfo,
  type TaskTypeOptions,
  type ThreadModule,
} from "../core/task-type.ts";
import { toJsonSchema } from "./json-schema.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { hasMask } from "./secret-keeper.ts";
import { marksSecrets, type SecretPart, splitSecrets } from "./secret-parts.ts";
import { threadHandler } from "./thread-handler.ts";

export interface RegisteredType {
  options: TaskTypeOptions;
  handler: TaskHandler;
  info: TaskTypeInfo;
  /** By which its secret parameters are found; none when it marks no parameter as secret. */
  secretSchemas: readonly JsonObject[];
}

/** Parameters that fit, and the secrets among them. */
export interface ParsedParams {
  params: JsonValue;
  /** As everybody may see them: secrets read `•••`. */
  shown: JsonValue;
  secrets: SecretPart[];
}

/** The task types of this process. */
export class TaskTypeRegistry {
  readonly #types = new Map<string, RegisteredType>();
  #rules: TypeRules = new Map();

  /** @throws InvalidInput for an empty name, @throws Conflict when it is taken. */
  register(options: TaskTypeOptions, given: TaskHandler | ThreadModule): void {
    const { type } = options;
    checkTypeName(type);
    const handler = toHandler(options, given);
    if (this.#types.has(type)) {
      throw new Conflict(`The task type "${type}" is registered already.`);
    }
    const secretSchemas = secretSchemasOf(options);
    this.#types.set(type, { options, handler, info: infoOf(options), secretSchemas });
    if (options.access) this.#rules = new Map([...this.#rules, [type, options.access]]);
  }

  /** Who may do what with tasks of each type; another map after each change. */
  get rules(): TypeRules {
    return this.#rules;
  }

  get names(): readonly string[] {
    return [...this.#types.keys()];
  }

  list(): TaskTypeInfo[] {
    return [...this.#types.values()].map(({ info }) => info);
  }

  find(type: string): RegisteredType | null {
    return this.#types.get(type) ?? null;
  }

  /** @throws UnknownTaskType naming those that exist. */
  require(type: string): RegisteredType {
    const found = this.#types.get(type);
    if (found) return found;
    const known = this.names;
    throw new UnknownTaskType(
      known.length === 0
        ? `There is no task type "${type}"; none is registered.`
        : `There is no task type "${type}". Registered: ${known.join(", ")}.`,
      { type, known },
    );
  }

  /**
   * Checks parameters as given by a caller and returns them as JSON, as they were given: each
   * attempt parses them again, so that defaults and transforms apply once.
   *
   * @throws InvalidParams naming each field and why; @throws InvalidInput when they are not JSON.
   */
  async parseParams(type: string, given: unknown): Promise<ParsedParams> {
    const { options, secretSchemas } = this.require(type);
    const params = toJsonValue(given ?? {}, "params");
    if (!options.params) {
      if (isJsonObject(params)) return { params, shown: params, secrets: [] };
      throw new InvalidParams(`params must be an object with named values.`, {
        issues: [{ path: "", message: "must be an object" }],
      });
    }
    const { shown, parts: secrets } = splitSecrets(secretSchemas, params);
    refuseMasks(type, secrets);
    const parsed = await options.params.safeParseAsync(params);
    if (parsed.success) return { params, shown, secrets };
    throw misfit(type, parsed.error, secrets);
  }
}

/** @throws InvalidInput */
export function checkTypeName(type: string): void {
  if (typeof type === "string" && /^[\w.:/-]{1,100}$/.test(type)) return;
  throw new InvalidInput(
    `A task type's name has 1 to 100 letters, digits or . _ : / - but this is "${type}".`,
  );
}

/** @throws InvalidParams where the mask was sent back instead of a secret. */
function refuseMasks(type: string, secrets: readonly SecretPart[]): void {
  const message = `enter the value again; ${secretMask} only stands for it`;
  const issues = secrets
    .filter(({ value }) => hasMask(value))
    .map(({ path }) => ({ path: z.core.toDotPath(path), message }));
  if (issues.length === 0) return;
  const fields = issues.map(({ path }) => path).join(", ");
  throw new InvalidParams(`params do not fit task type "${type}": ${fields}: ${message}`, {
    issues,
  });
}

function misfit(type: string, error: z.ZodError, secrets: readonly SecretPart[]): InvalidParams {
  // A schema's own messages may repeat what they refuse.
  const known = new KnownSecrets();
  for (const { value } of secrets) known.add(value);
  const { issues, text } = describeIssues(error.issues);
  return new InvalidParams(known.maskText(`params do not fit task type "${type}": ${text}`), {
    issues: known.mask(issues as unknown as JsonValue),
  });
}

/**
 * What parameters are given as, and what they are parsed to: what one leaves open, as before a
 * `preprocess`, the other may say.
 */
function secretSchemasOf({ params }: TaskTypeOptions): JsonObject[] {
  if (!params) return [];
  return [toJsonSchema(params, "input"), toJsonSchema(params, "output")].filter(marksSecrets);
}

function toHandler(options: TaskTypeOptions, given: TaskHandler | ThreadModule): TaskHandler {
  const { type, isolation, cancelGrace = defaultCancelGraceSeconds } = options;
  if (isolation === "thread") {
    if (typeof given === "object" && given?.module) return threadHandler(given, cancelGrace);
    throw new InvalidInput(
      `Task type "${type}" runs in threads: pass { module: new URL("./file.js", import.meta.url) } ` +
        "instead of a function, which cannot cross into a thread.",
    );
  }
  if (typeof given === "function") return given;
  throw new InvalidInput(`The handler of task type "${type}" is not a function.`);
}

function infoOf(options: TaskTypeOptions): TaskTypeInfo {
  return {
    type: options.type,
    title: options.title ?? options.type,
    description: options.description ?? "",
    paramsSchema: options.params ? toJsonSchema(options.params, "input") : null,
    example: options.example ?? false,
  };
}
