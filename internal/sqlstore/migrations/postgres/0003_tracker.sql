-- +goose Up
-- Which job was made from a ticket, so that two callers at once cannot both make one.
CREATE TABLE ticket_link (
    ticket_key text COLLATE "C" NOT NULL PRIMARY KEY,
    job_id     text COLLATE "C" NOT NULL REFERENCES job (id)
);

CREATE INDEX job_by_ticket ON job (ticket_key, id) WHERE ticket_key <> '';

-- Notes that are being posted to the tracker, or of which it is not known whether they were.
CREATE TABLE note_post (
    note_id    text   COLLATE "C" NOT NULL PRIMARY KEY REFERENCES note (id),
    holder     text   COLLATE "C" NOT NULL, -- who is posting; '' for nobody
    held_until bigint             NOT NULL
);
