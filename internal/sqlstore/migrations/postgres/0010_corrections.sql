-- +goose Up
-- How often a serial was sent back for rework.
ALTER TABLE serial ADD COLUMN reworks bigint NOT NULL DEFAULT 0;
CREATE INDEX serial_reworked ON serial (path_id, number) WHERE reworks > 0;

-- A hold is beside the status: it survives every move. It is open while released_at is 0.
CREATE TABLE hold (
    id                text   COLLATE "C" NOT NULL PRIMARY KEY,
    serial_number     bigint NOT NULL REFERENCES serial (number),
    reason            text   COLLATE "C" NOT NULL,
    nonconformance_id text   COLLATE "C" NOT NULL,
    placed_by         text   COLLATE "C" NOT NULL,
    placed_at         bigint NOT NULL,
    released_by       text   COLLATE "C" NOT NULL,
    released_at       bigint NOT NULL,
    release_reason    text   COLLATE "C" NOT NULL
);
CREATE INDEX hold_by_serial ON hold (serial_number, id);
CREATE INDEX hold_open_by_serial ON hold (serial_number, id) WHERE released_at = 0;
CREATE INDEX hold_open ON hold (id) WHERE released_at = 0;
