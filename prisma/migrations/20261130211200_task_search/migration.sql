-- DropIndex
DROP INDEX "tasks_finished_at_idx";

-- CreateTable
CREATE TABLE "task_search" (
    "number" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "task_id" TEXT NOT NULL,
    CONSTRAINT "task_search_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "task_search_task_id_key" ON "task_search"("task_id");

-- CreateIndex
CREATE INDEX "tasks_finished_at_id_idx" ON "tasks"("finished_at", "id") WHERE finished_at IS NOT NULL;

-- CreateIndex
CREATE INDEX "tasks_worked_seconds_id_idx" ON "tasks"("worked_seconds", "id") WHERE finished_at IS NOT NULL;

-- The full-text index of what a task is searched by: its id, its labels, its error, and the beginning of
-- its parameters and its result. Three letters at a time (trigram) and only which task has them
-- (detail=none): what is found is compared with the text itself, so that is enough, and a third of the
-- size. It keeps no copy of the text (content=''). Secret values are in none of these columns.
CREATE VIRTUAL TABLE "task_text" USING fts5(text, tokenize='trigram', detail=none, content='', contentless_delete=1);

INSERT INTO "task_search" ("task_id") SELECT "id" FROM "tasks" ORDER BY "created_at", "id";

INSERT INTO "task_text" (rowid, text)
    SELECT s."number", t."id" || char(10) || t."labels" || char(10) || substr(p."params", 1, 4096) || char(10)
        || coalesce(substr(p."result", 1, 4096), '') || char(10) || coalesce(substr(p."error", 1, 4096), '')
    FROM "task_search" s JOIN "tasks" t ON t."id" = s."task_id" JOIN "task_payloads" p ON p."task_id" = s."task_id";

-- Triggers, so that whatever writes a task has it found.
CREATE TRIGGER "task_text_of_new_task" AFTER INSERT ON "task_payloads"
BEGIN
    INSERT INTO "task_search" ("task_id") VALUES (new."task_id");
    INSERT INTO "task_text" (rowid, text)
        SELECT s."number", t."id" || char(10) || t."labels" || char(10) || substr(new."params", 1, 4096) || char(10)
            || coalesce(substr(new."result", 1, 4096), '') || char(10) || coalesce(substr(new."error", 1, 4096), '')
        FROM "task_search" s JOIN "tasks" t ON t."id" = s."task_id" WHERE s."task_id" = new."task_id";
END;

CREATE TRIGGER "task_text_of_ended_task" AFTER UPDATE OF "result", "error" ON "task_payloads"
BEGIN
    UPDATE "task_text" SET text = (
        SELECT t."id" || char(10) || t."labels" || char(10) || substr(new."params", 1, 4096) || char(10)
            || coalesce(substr(new."result", 1, 4096), '') || char(10) || coalesce(substr(new."error", 1, 4096), '')
        FROM "tasks" t WHERE t."id" = new."task_id")
    WHERE rowid = (SELECT s."number" FROM "task_search" s WHERE s."task_id" = new."task_id");
END;

CREATE TRIGGER "task_text_of_deleted_task" AFTER DELETE ON "task_search"
BEGIN
    DELETE FROM "task_text" WHERE rowid = old."number";
END;
