-- +goose Up
-- Whose identity it was, when somebody acted for the user that an entry names; '' otherwise.
ALTER TABLE audit ADD COLUMN actor text COLLATE "C" NOT NULL DEFAULT '';
