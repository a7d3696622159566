import type { Actor } from "../../core/actor.ts";
import type { JsonValue } from "../../core/json.ts";
import type { PollResponseJson } from "../../core/poll-response.ts";
import type { Labels, TaskView } from "../../core/task.ts";
import type { QuestionData } from "../../core/task-question.ts";
import type { TaskStatus } from "../../core/task-status.ts";
import type { TaskTypeInfo } from "../../core/task-type.ts";
import type { WaitFor } from "../../engine/poller.ts";
import type { TaskManager } from "../../engine/task-manager.ts";

/** A poll's answer, as data or as the class. */
export type PolledTask = Readonly<
  Omit<PollResponseJson, "updates" | "pendingQuestion" | "pendingQuestions">
> & {
  readonly updates: PollResponseJson["updates"] | readonly PollResponseJson["updates"][number][];
  readonly pendingQuestions: readonly Readonly<QuestionData>[];
};

/** A task with its payload, as data or as the class. */
export interface ToldTask {
  task: TaskView;
  workedSeconds: number;
  waitedSeconds: number;
  params: JsonValue;
  result: JsonValue;
  error: string | null;
  questions: readonly Readonly<QuestionData>[];
}

/**
 * What the tools need of toolthread. A `TaskManager` has these methods, and so has the typed client
 * of a server that runs elsewhere.
 */
export interface AgentTasks {
  taskTypes(): readonly TaskTypeInfo[] | Promise<readonly TaskTypeInfo[]>;
  startTask(
    type: string,
    params?: unknown,
    options?: { idempotencyKey?: string; labels?: Labels },
  ): Promise<string>;
  pollTask(
    taskId: string,
    options?: {
      since?: string | null;
      timeout?: number;
      waitFor?: WaitFor;
      limit?: number;
      signal?: AbortSignal;
    },
  ): Promise<PolledTask>;
  /** Whether this answer won; false when the question was closed before. */
  respondToQuestion(taskId: string, questionId: string, answer: unknown): Promise<boolean>;
  /** `won` is false when the question was closed before. */
  declineQuestion(
    questionId: string,
    options?: { taskId?: string; reason?: string | null },
  ): Promise<{ won: boolean }>;
  cancelTask(taskId: string, options?: { reason?: string | null }): Promise<boolean>;
  getTask(taskId: string): Promise<ToldTask>;
  getQuestion(questionId: string): Promise<Readonly<QuestionData>>;
  listTasks(query: {
    statuses?: TaskStatus[];
    types?: string[];
    limit: number;
    after?: string | null;
  }): Promise<{ items: readonly TaskView[]; nextCursor: string | null }>;
}

const toolActor: Actor = {
  kind: "agent",
  id: "agent-tools",
  name: "agent",
  surface: "agent-tools",
};

/**
 * The tasks as an agent's tools use them. A manager is told that an agent acts, so that questions
 * for operators stay closed to it; a client's key says who it is.
 */
export function agentTasksOf(source: AgentTasks | TaskManager): AgentTasks {
  return isManager(source) ? managerAs(source, toolActor) : source;
}

function isManager(source: AgentTasks | TaskManager): source is TaskManager {
  return "registerTask" in source;
}

function managerAs(manager: TaskManager, actor: Actor): AgentTasks {
  return {
    taskTypes: () => manager.taskTypes(),
    startTask: (type, params, options) => manager.startTask(type, params, { ...options, actor }),
    pollTask: (taskId, options) => manager.pollTask(taskId, options),
    respondToQuestion: (taskId, questionId, answer) =>
      manager.respondToQuestion(taskId, questionId, answer, { actor }),
    declineQuestion: (questionId, options) =>
      manager.declineQuestion(questionId, { ...options, actor }),
    cancelTask: (taskId, options) => manager.cancelTask(taskId, { ...options, actor }),
    getTask: (taskId) => manager.getTask(taskId),
    getQuestion: (questionId) => manager.getQuestion(questionId),
    listTasks: (query) => manager.listTasks(query),
  };
}
