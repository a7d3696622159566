import type { Attempt } from "./attempt.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { Replay } from "./replay.ts";
import type { Waits } from "./waits.ts";

/** What the parts of one handler's `ctx` share. */
export interface AttemptParts {
  attempt: Attempt;
  engine: EngineParts;
  replay: Replay;
  waits: Waits;
}
