-- +goose Up
-- writer: the least version of the tables that a program has to know to write. A migration that brings what older programs
-- would break raises it to its own number. Only one program has the file open, so that reading it at the start is enough.
INSERT INTO counter (name, value) VALUES ('writer', 15);
