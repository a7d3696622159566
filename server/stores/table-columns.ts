import type {
  AnswerRollup,
  AuditRow,
  Event,
  JournalRow,
  Question,
  SealedValue,
  Task,
  TaskLabel,
  TaskPayload,
  TaskRollup,
} from "./generated/client.ts";

/** The column of each field of a row, in the order in which bulk statements pass them. */
export type Columns<Row> = Readonly<Record<keyof Row & string, string>>;

export const taskColumns: Columns<Task> = {
  id: "id",
  type: "type",
  status: "status",
  createdAt: "created_at",
  createdByKind: "created_by_kind",
  createdById: "created_by_id",
  createdByName: "created_by_name",
  createdBySurface: "created_by_surface",
  createdByKeyOwner: "created_by_key_owner",
  startedAt: "started_at",
  finishedAt: "finished_at",
  lastSeq: "last_seq",
  lastEventAt: "last_event_at",
  attempt: "attempt",
  epoch: "epoch",
  interrupts: "interrupts",
  failures: "failures",
  workerId: "worker_id",
  leaseExpiresAt: "lease_expires_at",
  wakeAt: "wake_at",
  priority: "priority",
  labels: "labels",
  cancelRequestedAt: "cancel_requested_at",
  cancelReason: "cancel_reason",
  cancelledBy: "cancelled_by",
  progress: "progress",
  openQuestions: "open_questions",
  parentTaskId: "parent_task_id",
  rerunOf: "rerun_of",
  idempotencyKey: "idempotency_key",
  requestDigest: "request_digest",
  concurrencyKey: "concurrency_key",
  holdsKey: "holds_key",
  driverSequence: "driver_sequence",
  workedSeconds: "worked_seconds",
  waitedSeconds: "waited_seconds",
  clock: "clock",
  clockSince: "clock_since",
  errorSummary: "error_summary",
};

export const payloadColumns: Columns<TaskPayload> = {
  taskId: "task_id",
  params: "params",
  result: "result",
  error: "error",
};

export const labelColumns: Columns<TaskLabel> = {
  taskId: "task_id",
  key: "key",
  value: "value",
  createdAt: "created_at",
};

export const eventColumns: Columns<Event> = {
  position: "position",
  taskId: "task_id",
  seq: "seq",
  kind: "kind",
  at: "at",
  data: "data",
};

export const questionColumns: Columns<Question> = {
  id: "id",
  taskId: "task_id",
  key: "key",
  prompt: "prompt",
  timeout: "timeout",
  askedAt: "asked_at",
  deadline: "deadline",
  choices: "choices",
  multiple: "multiple",
  schema: "schema",
  answerableBy: "answerable_by",
  urgency: "urgency",
  secret: "secret",
  hasDefault: "has_default",
  defaultValue: "default_value",
  context: "context",
  outcome: "outcome",
  answer: "answer",
  answeredAt: "answered_at",
  resolvedAt: "resolved_at",
  resolvedBy: "resolved_by",
  declineReason: "decline_reason",
  defaultUsed: "default_used",
  firstSeenAt: "first_seen_at",
  firstSeenBy: "first_seen_by",
  claimedBy: "claimed_by",
  claimedUntil: "claimed_until",
  lastSeq: "last_seq",
  forgotten: "forgotten",
  approval: "approval",
  approvalAction: "approval_action",
};

/** Without the id, which the database gives. */
export const journalColumns: Columns<Omit<JournalRow, "id">> = {
  taskId: "task_id",
  kind: "kind",
  name: "name",
  key: "key",
  status: "status",
  value: "value",
  error: "error",
  startedAt: "started_at",
  recordedAt: "recorded_at",
  afterSeq: "after_seq",
};

export const sealedColumns: Columns<SealedValue> = {
  taskId: "task_id",
  place: "place",
  keyId: "key_id",
  text: "text",
};

/** Without the id, which the database gives. */
export const auditColumns: Columns<Omit<AuditRow, "id">> = {
  at: "at",
  action: "action",
  actorKind: "actor_kind",
  actorId: "actor_id",
  actorName: "actor_name",
  keyOwnerId: "key_owner_id",
  surface: "surface",
  address: "address",
  taskId: "task_id",
  taskType: "task_type",
  questionId: "question_id",
  details: "details",
};

export const taskRollupColumns: Columns<TaskRollup> = {
  width: "width",
  slot: "slot",
  type: "type",
  started: "started",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  asked: "asked",
  answered: "answered",
  declined: "declined",
  timedOut: "timed_out",
  withdrawn: "withdrawn",
  workedSeconds: "worked_seconds",
};

export const answerRollupColumns: Columns<AnswerRollup> = {
  width: "width",
  slot: "slot",
  type: "type",
  timeClass: "time_class",
  count: "count",
};

/** A row's values in the order of its columns. */
export function valuesOf<Row extends object>(columns: Columns<Row>, row: Row): unknown[] {
  return Object.keys(columns).map((field) => row[field as keyof Row]);
}

/** A select list that names each column as its field, so that rows read alike from SQL and Prisma. */
export function selectList<Row>(columns: Columns<Row>, table: string): string {
  return Object.entries<string>(columns)
    .map(([field, column]) => `${table}."${column}" AS "${field}"`)
    .join(", ");
}
