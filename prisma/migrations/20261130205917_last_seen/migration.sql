-- AlterTable
ALTER TABLE "sessions" ADD COLUMN "last_seen_at" TEXT;
