-- +goose Up
-- An older program would move units that are with a supplier or customer.
UPDATE counter SET value = 60 WHERE name = 'writer' AND value < 60;
