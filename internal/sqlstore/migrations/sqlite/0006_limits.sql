-- +goose Up
-- An INSERT OR REPLACE takes the entry in its way out without a DELETE that the other triggers would see.
-- +goose StatementBegin
CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE sequence = NEW.sequence) BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
-- +goose StatementEnd

-- What the probe writes is as large as an ordinary change, so that it fails where one would.
ALTER TABLE counter ADD COLUMN filler TEXT NOT NULL DEFAULT '';
