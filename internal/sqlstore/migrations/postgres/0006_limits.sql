-- +goose Up
-- What the probe writes is as large as an ordinary change, so that it fails where one would.
ALTER TABLE counter ADD COLUMN filler text NOT NULL DEFAULT '';
