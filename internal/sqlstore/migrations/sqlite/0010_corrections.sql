-- +goose Up
-- How often a serial was sent back for rework.
ALTER TABLE serial ADD COLUMN reworks INTEGER NOT NULL DEFAULT 0;
CREATE INDEX serial_reworked ON serial (path_id, number) WHERE reworks > 0;

-- A hold is beside the status: it survives every move. It is open while released_at is 0.
CREATE TABLE hold (
    id                TEXT    NOT NULL PRIMARY KEY,
    serial_number     INTEGER NOT NULL REFERENCES serial (number),
    reason            TEXT    NOT NULL,
    nonconformance_id TEXT    NOT NULL,
    placed_by         TEXT    NOT NULL,
    placed_at         INTEGER NOT NULL,
    released_by       TEXT    NOT NULL,
    released_at       INTEGER NOT NULL,
    release_reason    TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX hold_by_serial ON hold (serial_number, id);
CREATE INDEX hold_open_by_serial ON hold (serial_number, id) WHERE released_at = 0;
CREATE INDEX hold_open ON hold (id) WHERE released_at = 0;
