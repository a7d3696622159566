import type { TaskEvent } from "@/server/core/task-event.ts";
import type { QuestionData } from "@/server/core/task-question.ts";
import { secondsBetween } from "@/server/core/timestamp.ts";
import type { Rail } from "./timeline-rows.ts";

/** How the thread runs along a stretch of a task's events. */
export interface Thread {
  events: readonly TaskEvent[];
  /** What the task did after each of the events. */
  rails: readonly Rail[];
  /** Seconds of the longest step among them; 0 when there is none. */
  longestStep: number;
}

interface Followed extends Thread {
  rails: Rail[];
  state: ThreadState;
}

/**
 * The thread along a stretch of events. Where it goes on from the events of an earlier thread only
 * what came after them is looked at, so that a burst costs what it brings.
 */
export function threadOf(
  events: readonly TaskEvent[],
  questions: readonly QuestionData[],
  earlier: Thread | null = null,
): Thread {
  const known = earlier as Followed | null;
  const goesOn =
    known !== null &&
    known.events.length > 0 &&
    known.events.length <= events.length &&
    known.events[0] === events[0] &&
    known.events.at(-1) === events[known.events.length - 1];
  const state = goesOn
    ? { ...known.state, open: new Set(known.state.open) }
    : stateBefore(events[0], questions);
  // Rails are never changed once they are known, so that both threads may share them.
  const rails = goesOn ? known.rails : [];
  let longestStep = goesOn ? known.longestStep : 0;
  for (let i = goesOn ? known.events.length : 0; i < events.length; i += 1) {
    const event = events[i] as TaskEvent;
    follow(state, event);
    rails[i] = railOf(state);
    if (event.kind === "step_completed" || event.kind === "step_failed") {
      longestStep = Math.max(longestStep, secondsBetween(event.startedAt, event.at));
    }
  }
  const thread: Followed = { events, rails, longestStep, state };
  return thread;
}

interface ThreadState {
  isHeld: boolean;
  open: Set<string>;
  hasEnded: boolean;
}

// The loaded events may begin in the middle of a task's life.
function stateBefore(
  first: TaskEvent | undefined,
  questions: readonly QuestionData[],
): ThreadState {
  const open = questions.filter(
    ({ askedAt, resolvedAt }) =>
      first !== undefined && askedAt < first.at && (resolvedAt === null || resolvedAt >= first.at),
  );
  return {
    isHeld: first !== undefined && first.seq > 1,
    open: new Set(open.map(({ questionId }) => questionId)),
    hasEnded: false,
  };
}

function follow(state: ThreadState, event: TaskEvent): void {
  switch (event.kind) {
    case "attempt_started":
      state.isHeld = true;
      break;
    case "attempt_failed":
    case "attempt_interrupted":
    case "attempt_released":
    case "attempt_parked":
      state.isHeld = false;
      break;
    case "question_opened":
      state.open.add(event.questionId);
      break;
    case "question_resolved":
      state.open.delete(event.questionId);
      break;
    case "task_finished":
      state.hasEnded = true;
      break;
  }
}

function railOf({ hasEnded, open, isHeld }: ThreadState): Rail {
  if (hasEnded) return "none";
  if (open.size > 0) return "waiting";
  return isHeld ? "working" : "idle";
}
