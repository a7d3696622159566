-- CreateTable
CREATE TABLE "tasks" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TEXT NOT NULL,
    "created_by_kind" TEXT NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_by_surface" TEXT NOT NULL,
    "started_at" TEXT,
    "finished_at" TEXT,
    "last_seq" INTEGER NOT NULL,
    "last_event_at" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "interrupts" INTEGER NOT NULL,
    "failures" INTEGER NOT NULL,
    "worker_id" TEXT,
    "lease_expires_at" TEXT,
    "wake_at" TEXT,
    "priority" INTEGER NOT NULL,
    "labels" TEXT NOT NULL,
    "cancel_requested_at" TEXT,
    "cancel_reason" TEXT,
    "cancelled_by" TEXT,
    "progress" TEXT,
    "open_questions" INTEGER NOT NULL,
    "parent_task_id" TEXT,
    "rerun_of" TEXT,
    "idempotency_key" TEXT,
    "request_digest" TEXT,
    "concurrency_key" TEXT,
    "holds_key" BOOLEAN NOT NULL,
    "worked_seconds" REAL NOT NULL,
    "waited_seconds" REAL NOT NULL,
    "clock" TEXT,
    "clock_since" TEXT,
    "error_summary" TEXT
);

-- CreateTable
CREATE TABLE "task_payloads" (
    "task_id" TEXT NOT NULL PRIMARY KEY,
    "params" TEXT NOT NULL,
    "result" TEXT,
    "error" TEXT,
    CONSTRAINT "task_payloads_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "task_labels" (
    "task_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TEXT NOT NULL,

    PRIMARY KEY ("task_id", "key"),
    CONSTRAINT "task_labels_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "events" (
    "position" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "task_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    CONSTRAINT "events_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "questions" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "task_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "timeout" REAL NOT NULL,
    "asked_at" TEXT NOT NULL,
    "deadline" TEXT NOT NULL,
    "choices" TEXT,
    "multiple" BOOLEAN NOT NULL,
    "schema" TEXT,
    "answerable_by" TEXT NOT NULL,
    "has_default" BOOLEAN NOT NULL,
    "default_value" TEXT,
    "context" TEXT,
    "outcome" TEXT,
    "answer" TEXT,
    "answered_at" TEXT,
    "resolved_at" TEXT,
    "resolved_by" TEXT,
    "decline_reason" TEXT,
    "default_used" BOOLEAN NOT NULL,
    "first_seen_at" TEXT,
    "first_seen_by" TEXT,
    "forgotten" BOOLEAN NOT NULL,
    CONSTRAINT "questions_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "journal" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "task_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "value" TEXT,
    "error" TEXT,
    "started_at" TEXT NOT NULL,
    "recorded_at" TEXT NOT NULL,
    "after_seq" INTEGER NOT NULL,
    CONSTRAINT "journal_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "tasks_created_at_id_idx" ON "tasks"("created_at", "id");

-- CreateIndex
CREATE INDEX "tasks_status_created_at_id_idx" ON "tasks"("status", "created_at", "id");

-- CreateIndex
CREATE INDEX "tasks_type_status_created_at_id_idx" ON "tasks"("type", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "tasks_created_by_id_created_at_id_idx" ON "tasks"("created_by_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "tasks_parent_task_id_created_at_id_idx" ON "tasks"("parent_task_id", "created_at", "id") WHERE parent_task_id IS NOT NULL;

-- CreateIndex
CREATE INDEX "tasks_priority_wake_at_idx" ON "tasks"("priority", "wake_at") WHERE wake_at IS NOT NULL;

-- CreateIndex
CREATE INDEX "tasks_lease_expires_at_worker_id_idx" ON "tasks"("lease_expires_at", "worker_id") WHERE lease_expires_at IS NOT NULL;

-- CreateIndex
CREATE INDEX "tasks_concurrency_key_idx" ON "tasks"("concurrency_key") WHERE holds_key;

-- CreateIndex
CREATE INDEX "tasks_finished_at_idx" ON "tasks"("finished_at") WHERE finished_at IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "tasks_idempotency" ON "tasks"("created_by_kind", "created_by_id", "type", "idempotency_key");

-- CreateIndex
CREATE INDEX "task_labels_key_value_created_at_task_id_idx" ON "task_labels"("key", "value", "created_at", "task_id");

-- CreateIndex
CREATE UNIQUE INDEX "events_task_id_seq_key" ON "events"("task_id", "seq");

-- CreateIndex
CREATE INDEX "questions_task_id_asked_at_id_idx" ON "questions"("task_id", "asked_at", "id");

-- CreateIndex
CREATE INDEX "questions_deadline_id_idx" ON "questions"("deadline", "id") WHERE outcome IS NULL;

-- CreateIndex
CREATE INDEX "questions_resolved_at_id_idx" ON "questions"("resolved_at", "id") WHERE outcome IS NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "journal_task_id_kind_name_key_key" ON "journal"("task_id", "kind", "name", "key");
