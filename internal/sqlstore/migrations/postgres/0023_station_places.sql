-- +goose Up
-- The locations whose steps are done at a station, one a line, none for anywhere; and whether one scan of a unit says there that its
-- step is done.
ALTER TABLE station ADD COLUMN places text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE station ADD COLUMN one_scan boolean NOT NULL DEFAULT false;
