-- +goose Up
-- What was noted or attached by mistake stays, and says that it does not count.
ALTER TABLE note ADD COLUMN voided_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE note ADD COLUMN voided_by TEXT NOT NULL DEFAULT '';
ALTER TABLE note ADD COLUMN void_reason TEXT NOT NULL DEFAULT '';

-- A certificate is on a serial at a step once, but for those that were voided: voided_as is '' for the one that counts,
-- and the attachment's own id once it is voided.
CREATE TABLE attachment_with_voided (
    serial_number  INTEGER NOT NULL REFERENCES serial (number),
    certificate_id TEXT    NOT NULL REFERENCES certificate (id),
    step_id        TEXT    NOT NULL,
    voided_as      TEXT    NOT NULL DEFAULT '',
    id             TEXT    NOT NULL,
    attached_at    INTEGER NOT NULL,
    attached_by    TEXT    NOT NULL,
    voided_at      INTEGER NOT NULL DEFAULT 0,
    voided_by      TEXT    NOT NULL DEFAULT '',
    void_reason    TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (serial_number, certificate_id, step_id, voided_as)
) STRICT, WITHOUT ROWID;
INSERT INTO attachment_with_voided (serial_number, certificate_id, step_id, id, attached_at, attached_by)
    SELECT serial_number, certificate_id, step_id, id, attached_at, attached_by FROM attachment;
DROP TABLE attachment;
ALTER TABLE attachment_with_voided RENAME TO attachment;
CREATE UNIQUE INDEX attachment_by_certificate ON attachment (certificate_id, id);
CREATE INDEX attachment_by_step ON attachment (step_id);
CREATE UNIQUE INDEX attachment_by_id ON attachment (id);

-- A report of units that are not as they should be. It is open while closed_at is 0.
CREATE TABLE nonconformance (
    number      INTEGER NOT NULL PRIMARY KEY,
    title       TEXT    NOT NULL,
    description TEXT    NOT NULL,
    severity    TEXT    NOT NULL,
    step_id     TEXT    NOT NULL,
    opened_by   TEXT    NOT NULL,
    opened_at   INTEGER NOT NULL,
    closed_by   TEXT    NOT NULL,
    closed_at   INTEGER NOT NULL,
    summary     TEXT    NOT NULL
) STRICT;
CREATE INDEX nonconformance_open ON nonconformance (number) WHERE closed_at = 0;
CREATE INDEX nonconformance_by_step ON nonconformance (step_id) WHERE step_id <> '';

-- The units on a report, each with what was decided about it: disposition is '' until something is. found_at is the place in
-- its path of the step where it was found.
CREATE TABLE nonconforming_unit (
    nonconformance_number INTEGER NOT NULL REFERENCES nonconformance (number),
    serial_number         INTEGER NOT NULL REFERENCES serial (number),
    found_at              INTEGER NOT NULL,
    disposition           TEXT    NOT NULL,
    decided_by            TEXT    NOT NULL,
    decided_at            INTEGER NOT NULL,
    reason                TEXT    NOT NULL,
    concession            TEXT    NOT NULL,
    PRIMARY KEY (nonconformance_number, serial_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX nonconforming_unit_by_serial ON nonconforming_unit (serial_number, nonconformance_number);

INSERT INTO counter (name, value) VALUES ('nonconformance', 0);
