-- +goose Up
-- The GTIN of the part that a job makes, as it was typed, '' for none. It is compared with 14 digits, as the index has it.
ALTER TABLE job ADD COLUMN gtin TEXT NOT NULL DEFAULT '';
CREATE INDEX job_by_gtin ON job (substr('00000000000000' || gtin, length(gtin) + 1), id DESC) WHERE gtin <> '';
