-- +goose Up
-- What is measured at steps, a row for each revision; characteristics is their JSON. The newest revision of a step holds.
CREATE TABLE step_characteristics (
    id              TEXT    NOT NULL PRIMARY KEY,
    step_id         TEXT    NOT NULL,
    revision        INTEGER NOT NULL,
    characteristics TEXT    NOT NULL,
    changed_by      TEXT    NOT NULL,
    changed_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX step_characteristics_by_step ON step_characteristics (step_id, revision);

-- Readings of units, with the limits by which they were judged: '' where there is none.
CREATE TABLE measurement (
    id                TEXT    NOT NULL PRIMARY KEY,
    serial_number     INTEGER NOT NULL REFERENCES serial (number),
    job_id            TEXT    NOT NULL,
    step_id           TEXT    NOT NULL,
    characteristic_id TEXT    NOT NULL,
    balloon           TEXT    NOT NULL,
    place             TEXT    NOT NULL,
    reading           TEXT    NOT NULL,
    unit              TEXT    NOT NULL,
    verdict           TEXT    NOT NULL,
    nominal           TEXT    NOT NULL,
    lower_limit       TEXT    NOT NULL,
    upper_limit       TEXT    NOT NULL,
    revision          INTEGER NOT NULL,
    instrument_id     TEXT    NOT NULL,
    note              TEXT    NOT NULL,
    pass              INTEGER NOT NULL,
    measured_by       TEXT    NOT NULL,
    measured_at       INTEGER NOT NULL,
    voided_at         INTEGER NOT NULL DEFAULT 0,
    voided_by         TEXT    NOT NULL DEFAULT '',
    void_reason       TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX measurement_by_serial ON measurement (serial_number, id);
CREATE INDEX measurement_by_characteristic ON measurement (characteristic_id, id);
CREATE INDEX measurement_by_step ON measurement (step_id, id);
CREATE INDEX measurement_by_job ON measurement (job_id, id);
CREATE INDEX measurement_by_instrument ON measurement (instrument_id, id) WHERE instrument_id <> '';

-- As which unit of its path a unit came to a step of which a sample is measured. accepted is 1 for the first piece of the step,
-- once it was measured and passed.
CREATE TABLE arrival (
    step_id       TEXT    NOT NULL,
    serial_number INTEGER NOT NULL REFERENCES serial (number),
    ordinal       INTEGER NOT NULL,
    accepted      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (step_id, serial_number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX arrival_by_ordinal ON arrival (step_id, ordinal);
CREATE INDEX arrival_by_serial ON arrival (serial_number, step_id);
CREATE UNIQUE INDEX arrival_accepted ON arrival (step_id) WHERE accepted = 1;
