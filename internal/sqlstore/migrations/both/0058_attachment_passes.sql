-- +goose Up
-- The pass of the unit in which a certificate was attached. Earlier attachments count for the first pass.
ALTER TABLE attachment ADD COLUMN pass INTEGER NOT NULL DEFAULT 1;
