-- CreateTable
CREATE TABLE "task_rollups" (
    "width" INTEGER NOT NULL,
    "slot" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "started" INTEGER NOT NULL,
    "completed" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "asked" INTEGER NOT NULL,
    "answered" INTEGER NOT NULL,
    "declined" INTEGER NOT NULL,
    "timed_out" INTEGER NOT NULL,
    "withdrawn" INTEGER NOT NULL,
    "worked_seconds" REAL NOT NULL,

    PRIMARY KEY ("width", "slot", "type")
);

-- CreateTable
CREATE TABLE "answer_rollups" (
    "width" INTEGER NOT NULL,
    "slot" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "time_class" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("width", "slot", "type", "time_class")
);

-- CreateIndex
CREATE INDEX "questions_asked_at_id_idx" ON "questions"("asked_at", "id") WHERE outcome IS NULL;

-- What happened before. Slots of a minute are made for two days and those of a quarter of an hour for nine,
-- as long as they are kept.
CREATE TEMP TABLE "widths" AS
    SELECT 60 AS width, unixepoch() - 172800 AS since
    UNION ALL SELECT 900, unixepoch() - 777600
    UNION ALL SELECT 21600, 0;

INSERT INTO "task_rollups"
SELECT width, at / width, type, sum(what = 'started'), sum(what = 'completed'), sum(what = 'failed'),
    sum(what = 'cancelled'), sum(what = 'asked'), sum(what = 'answered'), sum(what = 'declined'),
    sum(what = 'timed_out'), sum(what = 'withdrawn'), sum(worked)
FROM (
    SELECT unixepoch(substr(created_at, 1, 19)) AS at, type, 'started' AS what, 0.0 AS worked FROM "tasks"
    UNION ALL
    SELECT unixepoch(substr(finished_at, 1, 19)), type, status, worked_seconds FROM "tasks"
        WHERE finished_at IS NOT NULL
    UNION ALL
    SELECT unixepoch(substr(q.asked_at, 1, 19)), t.type, 'asked', 0.0
        FROM "questions" q JOIN "tasks" t ON t.id = q.task_id
    UNION ALL
    SELECT unixepoch(substr(q.resolved_at, 1, 19)), t.type,
        CASE q.outcome WHEN 'cancelled' THEN 'withdrawn' ELSE q.outcome END, 0.0
        FROM "questions" q JOIN "tasks" t ON t.id = q.task_id WHERE q.resolved_at IS NOT NULL
) JOIN temp."widths" ON at >= since
GROUP BY width, at / width, type;

INSERT INTO "answer_rollups"
SELECT width, at / width, type,
    CASE WHEN took < 0.1 THEN 0 ELSE min(110, 1 + CAST(ln(took / 0.1) / ln(1.2) AS INTEGER)) END AS time_class,
    count(*)
FROM (
    SELECT unixepoch(substr(q.resolved_at, 1, 19)) AS at, t.type AS type,
        (julianday(q.resolved_at) - julianday(q.asked_at)) * 86400 AS took
    FROM "questions" q JOIN "tasks" t ON t.id = q.task_id WHERE q.outcome IN ('answered', 'declined')
) JOIN temp."widths" ON at >= since
GROUP BY width, at / width, type, time_class;

DROP TABLE temp."widths";
