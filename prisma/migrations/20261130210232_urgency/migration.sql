-- AlterTable
ALTER TABLE "questions" ADD COLUMN "urgency" TEXT NOT NULL DEFAULT 'normal';
