import { beginningOf } from "../../core/beginning-of.ts";
import { InvalidInput } from "../../core/errors.ts";

/** Why a file is not analysed; `details.rule` of the error. */
export type FileRule =
  | "root_missing"
  | "not_a_path"
  | "outside_root"
  | "missing"
  | "not_a_file"
  | "not_readable"
  | "binary"
  | "damaged";

/** The error for a file that cannot be analysed. */
export function refusal(rule: FileRule, name: string, message: string): InvalidInput {
  return new InvalidInput(message, { path: name, rule });
}

/** A name that is safe and short enough to stand in a message. */
export function shown(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = name.replace(/[\u0000-\u001f\u007f]/g, "?");
  return clean.length > 200 ? `${beginningOf(clean, 200)}…` : clean;
}
