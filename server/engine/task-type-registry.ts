import type { TypeRules } from "../core/access.ts";
import { Conflict, InvalidInput, InvalidParams, UnknownTaskType } from "../core/errors.ts";
import { describeIssues } from "../core/issues.ts";
import { isJsonObject, type JsonValue, toJsonValue } from "../core/json.ts";
import {
  defaultCancelGraceSeconds,
  type TaskHandler,
  type TaskTypeInfo,
  type TaskTypeOptions,
  type ThreadModule,
} from "../core/task-type.ts";
import { toJsonSchema } from "./json-schema.ts";
import { threadHandler } from "./thread-handler.ts";

export interface RegisteredType {
  options: TaskTypeOptions;
  handler: TaskHandler;
  info: TaskTypeInfo;
}

/** The task types of this process. */
export class TaskTypeRegistry {
  readonly #types = new Map<string, RegisteredType>();
  #rules: TypeRules = new Map();

  /** @throws InvalidInput for an empty name, @throws Conflict when it is taken. */
  register(options: TaskTypeOptions, given: TaskHandler | ThreadModule): void {
    const { type } = options;
    if (typeof type !== "string" || !/^[\w.:/-]{1,100}$/.test(type)) {
      throw new InvalidInput(
        `A task type's name has 1 to 100 letters, digits or . _ : / - but this is "${type}".`,
      );
    }
    const handler = toHandler(options, given);
    if (this.#types.has(type)) {
      throw new Conflict(`The task type "${type}" is registered already.`);
    }
    this.#types.set(type, { options, handler, info: infoOf(options) });
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
  async parseParams(type: string, params: unknown): Promise<JsonValue> {
    const { options } = this.require(type);
    const json = toJsonValue(params ?? {}, "params");
    if (!options.params) {
      if (isJsonObject(json)) return json;
      throw new InvalidParams(`params must be an object with named values.`, {
        issues: [{ path: "", message: "must be an object" }],
      });
    }
    const parsed = await options.params.safeParseAsync(json);
    if (parsed.success) return json;
    const { issues, text } = describeIssues(parsed.error.issues);
    throw new InvalidParams(`params do not fit task type "${type}": ${text}`, { issues });
  }
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
