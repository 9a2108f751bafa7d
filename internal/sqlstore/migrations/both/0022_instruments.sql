-- +goose Up
-- Instruments for measuring: result is that of the last calibration, '' before the first one.
CREATE TABLE instrument (
    id          TEXT    NOT NULL PRIMARY KEY,
    number      TEXT    NOT NULL UNIQUE,
    name        TEXT    NOT NULL,
    due_date    TEXT    NOT NULL,
    external_id TEXT    NOT NULL,
    result      TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX instrument_by_external_id ON instrument (external_id) WHERE external_id <> '';

CREATE TABLE calibration (
    id            TEXT    NOT NULL PRIMARY KEY,
    instrument_id TEXT    NOT NULL REFERENCES instrument (id),
    result        TEXT    NOT NULL,
    as_found      TEXT    NOT NULL,
    due_date      TEXT    NOT NULL,
    calibrated_by TEXT    NOT NULL,
    calibrated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX calibration_by_instrument ON calibration (instrument_id, id);
