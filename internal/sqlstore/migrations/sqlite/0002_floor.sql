-- +goose Up
CREATE TABLE shop_user (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    department TEXT    NOT NULL,
    active     INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX shop_user_by_name ON shop_user (name, id);

CREATE TABLE template (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    steps      TEXT    NOT NULL, -- JSON list, in order: read and replaced as one
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX step_by_operator ON step (assigned_to) WHERE assigned_to <> '';
