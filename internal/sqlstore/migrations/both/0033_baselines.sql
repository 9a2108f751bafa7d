-- +goose Up
-- Control limits that were frozen. limits and spread are JSON: lower, centre and upper.
CREATE TABLE baseline (
    id                TEXT    NOT NULL PRIMARY KEY,
    characteristic_id TEXT    NOT NULL,
    step_id           TEXT    NOT NULL,
    from_time         INTEGER NOT NULL,
    to_time           INTEGER NOT NULL,
    subgroup          INTEGER NOT NULL,
    rules             TEXT    NOT NULL,
    readings          INTEGER NOT NULL,
    first_reading     TEXT    NOT NULL,
    last_reading      TEXT    NOT NULL,
    limits            TEXT    NOT NULL,
    spread            TEXT    NOT NULL,
    reason            TEXT    NOT NULL,
    frozen_by         TEXT    NOT NULL,
    frozen_at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX baseline_by_characteristic ON baseline (characteristic_id, id);
CREATE INDEX baseline_by_step ON baseline (step_id);

-- The newest set of characteristics that has each of them.
CREATE TABLE characteristic (
    id     TEXT NOT NULL PRIMARY KEY,
    set_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
