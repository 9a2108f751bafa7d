-- +goose Up
-- What an instrument can read, as it was typed: from the least to the greatest value in a unit. '' for no limit.
ALTER TABLE instrument ADD COLUMN range_from TEXT NOT NULL DEFAULT '';
ALTER TABLE instrument ADD COLUMN range_to TEXT NOT NULL DEFAULT '';
ALTER TABLE instrument ADD COLUMN unit TEXT NOT NULL DEFAULT '';
