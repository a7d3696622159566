-- AlterTable
ALTER TABLE "tasks" ADD COLUMN "driver_sequence" INTEGER;
