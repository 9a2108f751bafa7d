-- +goose Up
-- An older program would create units without the bill of their path.
UPDATE counter SET value = 57 WHERE name = 'writer' AND value < 57;
