-- +goose Up
-- What other systems call records, one for a record at most; serial_number is the number of a serial, 0 for other kinds.
CREATE TABLE external_id (
    kind          TEXT    NOT NULL,
    record_id     TEXT    NOT NULL,
    serial_number INTEGER NOT NULL,
    external_id   TEXT    NOT NULL,
    PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX external_id_by_external_id ON external_id (kind, external_id);
CREATE UNIQUE INDEX external_id_by_serial ON external_id (serial_number) WHERE serial_number > 0;
-- A certificate says the same for good, but what another system calls it may change: then it is in lists of what was changed.
ALTER TABLE certificate ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
UPDATE certificate SET changed_at = created_at;
DROP INDEX certificate_by_change;
CREATE INDEX certificate_by_change ON certificate (changed_at, id);
