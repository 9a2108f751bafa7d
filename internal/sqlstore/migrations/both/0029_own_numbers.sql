-- +goose Up
-- The own number of a serial, which is engraved on it, '' for none; and all that it ever had. earlier is 1 for those that were
-- replaced. No two serials of a scope have the same number at a time: see Job.NumberScope in shop/ownnumber.go.
ALTER TABLE serial ADD COLUMN own_number TEXT NOT NULL DEFAULT '';
CREATE TABLE own_number (
    serial_number INTEGER NOT NULL REFERENCES serial (number),
    given         INTEGER NOT NULL, -- 1 for the first number that the serial had
    number        TEXT    NOT NULL,
    job_id        TEXT    NOT NULL REFERENCES job (id),
    scope         TEXT    NOT NULL,
    given_at      INTEGER NOT NULL,
    earlier       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (serial_number, given)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX own_number_taken ON own_number (scope, number) WHERE earlier = 0;
CREATE INDEX own_number_called ON own_number (lower(number), serial_number DESC);
CREATE INDEX own_number_by_job ON own_number (job_id, serial_number);
