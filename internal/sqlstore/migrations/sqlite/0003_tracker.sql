-- +goose Up
-- Which job was made from a ticket, so that two callers at once cannot both make one.
CREATE TABLE ticket_link (
    ticket_key TEXT NOT NULL PRIMARY KEY,
    job_id     TEXT NOT NULL REFERENCES job (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_by_ticket ON job (ticket_key, id) WHERE ticket_key <> '';

-- Notes that are being posted to the tracker, or of which it is not known whether they were.
CREATE TABLE note_post (
    note_id    TEXT    NOT NULL PRIMARY KEY REFERENCES note (id),
    holder     TEXT    NOT NULL, -- who is posting; '' for nobody
    held_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
