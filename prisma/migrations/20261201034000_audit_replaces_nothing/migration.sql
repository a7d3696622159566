-- INSERT OR REPLACE takes the place of an entry without asking the triggers of UPDATE and DELETE.
CREATE TRIGGER "audit_replaces_nothing" BEFORE INSERT ON "audit"
WHEN EXISTS (SELECT 1 FROM "audit" WHERE "id" = NEW."id")
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
