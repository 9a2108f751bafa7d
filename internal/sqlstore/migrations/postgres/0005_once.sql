-- +goose Up
-- What was done under a key that a client gave its request. A row is written with the change that it tells of, and is
-- removed when the key is so old that nobody repeats the request any more.
CREATE TABLE remembered (
    caller      text   COLLATE "C" NOT NULL, -- whose key it is; '' for everybody
    once_key    text   COLLATE "C" NOT NULL,
    fingerprint text   COLLATE "C" NOT NULL, -- of the request
    result      text   COLLATE "C" NOT NULL, -- what the operation returned
    made_at     bigint             NOT NULL,
    PRIMARY KEY (caller, once_key)
);
CREATE INDEX remembered_by_time ON remembered (made_at);
