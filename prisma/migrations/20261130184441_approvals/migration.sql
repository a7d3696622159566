-- AlterTable
ALTER TABLE "questions" ADD COLUMN "approval" TEXT;
ALTER TABLE "questions" ADD COLUMN "approval_action" TEXT;

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN "created_by_key_owner" TEXT;

-- CreateIndex
CREATE INDEX "questions_approval_action_asked_at_id_idx" ON "questions"("approval_action", "asked_at", "id") WHERE approval_action IS NOT NULL;
