-- +goose Up
-- Who gets notices, and when: one row, or none as long as nobody set it. recipients is a JSON array.
CREATE TABLE notice_settings (
    id         TEXT    NOT NULL PRIMARY KEY,
    recipients TEXT    NOT NULL,
    quiet_from TEXT    NOT NULL,
    quiet_to   TEXT    NOT NULL,
    held_days  INTEGER NOT NULL,
    due_days   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was notified on a day.
CREATE TABLE notice_cause (
    day  TEXT NOT NULL,
    kind TEXT NOT NULL,
    key  TEXT NOT NULL,
    PRIMARY KEY (day, kind, key)
) STRICT, WITHOUT ROWID;

-- Messages to one address each. causes is a JSON array. done_at is 0 while the message waits.
CREATE TABLE notice (
    id         TEXT    NOT NULL PRIMARY KEY,
    kind       TEXT    NOT NULL,
    channel    TEXT    NOT NULL,
    target     TEXT    NOT NULL,
    causes     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    due_at     INTEGER NOT NULL,
    attempts   INTEGER NOT NULL,
    leased_to  INTEGER NOT NULL,
    state      TEXT    NOT NULL,
    done_at    INTEGER NOT NULL,
    answer     TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX notice_by_end ON notice (done_at, id);
