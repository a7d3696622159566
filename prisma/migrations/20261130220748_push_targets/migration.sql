-- CreateTable
CREATE TABLE "push_targets" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "person_id" TEXT NOT NULL,
    "session_id" TEXT,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "urgencies" TEXT NOT NULL,
    "types" TEXT,
    "created_at" TEXT NOT NULL,
    CONSTRAINT "push_targets_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "push_targets_session_id_idx" ON "push_targets"("session_id");
