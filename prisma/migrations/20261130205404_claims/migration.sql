-- AlterTable
ALTER TABLE "questions" ADD COLUMN "claimed_by" TEXT;
ALTER TABLE "questions" ADD COLUMN "claimed_until" TEXT;
-- Of earlier questions it is not known, and needs not be: the next change makes it higher.
ALTER TABLE "questions" ADD COLUMN "last_seq" INTEGER NOT NULL DEFAULT 0;
