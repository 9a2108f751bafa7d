-- +goose Up
-- The program that has the file counts in memory; see listStates.
DELETE FROM counter WHERE name = 'untold';
