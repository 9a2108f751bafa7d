-- +goose Up
-- What was done under a key that a client gave its request. A row is written with the change that it tells of, and is
-- removed when the key is so old that nobody repeats the request any more.
CREATE TABLE remembered (
    caller      TEXT    NOT NULL, -- whose key it is; '' for everybody
    once_key    TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL, -- of the request
    result      TEXT    NOT NULL, -- what the operation returned
    made_at     INTEGER NOT NULL,
    PRIMARY KEY (caller, once_key)
) STRICT;
CREATE INDEX remembered_by_time ON remembered (made_at);
