import type { TypeRules } from "../core/access.ts";
import type { TypeAccess } from "../core/permission.ts";

/** The rules of all task types: those set in code, and over them those that admins set. */
export class TypeRuleBook {
  readonly #inCode: () => TypeRules;
  #set: Map<string, TypeAccess>;
  #merged: { inCode: TypeRules; rules: TypeRules } | null = null;

  /** @param inCode the rules of the registered types, as they are now. */
  constructor(inCode: () => TypeRules, set: Map<string, TypeAccess> = new Map()) {
    this.#inCode = inCode;
    this.#set = set;
  }

  readonly current = (): TypeRules => {
    const inCode = this.#inCode();
    if (this.#merged?.inCode !== inCode) {
      this.#merged = { inCode, rules: new Map([...inCode, ...this.#set]) };
    }
    return this.#merged.rules;
  };

  /** The rule an admin set for a type; undefined when there is none. */
  setFor(type: string): TypeAccess | undefined {
    return this.#set.get(type);
  }

  inCodeFor(type: string): TypeAccess | undefined {
    return this.#inCode().get(type);
  }

  change(type: string, access: TypeAccess | null): void {
    const next = new Map(this.#set);
    if (access === null) next.delete(type);
    else next.set(type, access);
    this.#set = next;
    this.#merged = null;
  }

  types(): string[] {
    return [...this.current().keys()];
  }
}
