-- +goose Up
-- The language of pages that a user or a station chose, by BCP 47.
CREATE TABLE page_language (
    chosen_by TEXT NOT NULL PRIMARY KEY,
    tag       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
