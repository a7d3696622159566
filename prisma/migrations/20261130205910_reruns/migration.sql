-- CreateIndex
CREATE INDEX "tasks_rerun_of_created_at_id_idx" ON "tasks"("rerun_of", "created_at", "id") WHERE rerun_of IS NOT NULL;
