-- +goose Up
-- Nothing: on SQLite one process writes, and knows what it wrote.
SELECT 1;
