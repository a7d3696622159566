-- CreateTable
CREATE TABLE "sealed_values" (
    "task_id" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    PRIMARY KEY ("task_id", "place"),
    CONSTRAINT "sealed_values_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "audit" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "actor_kind" TEXT,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "key_owner_id" TEXT,
    "surface" TEXT,
    "address" TEXT,
    "task_id" TEXT,
    "task_type" TEXT,
    "question_id" TEXT,
    "details" TEXT NOT NULL
);

-- AlterTable
ALTER TABLE "questions" ADD COLUMN "secret" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "audit_at_id_idx" ON "audit"("at", "id");

-- CreateIndex
CREATE INDEX "audit_actor_id_at_id_idx" ON "audit"("actor_id", "at", "id");

-- CreateIndex
CREATE INDEX "audit_action_at_id_idx" ON "audit"("action", "at", "id");

-- CreateIndex
CREATE INDEX "audit_task_id_at_id_idx" ON "audit"("task_id", "at", "id") WHERE task_id IS NOT NULL;

-- The audit log is append-only, also for whoever opens the file with another program.
CREATE TRIGGER "audit_keeps_what_it_has" BEFORE UPDATE ON "audit"
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER "audit_loses_nothing" BEFORE DELETE ON "audit"
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
