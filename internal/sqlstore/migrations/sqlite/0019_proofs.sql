-- +goose Up
-- writer: the least version of the tables that a program has to know to write. A migration that brings what older programs
-- would break raises it to its own number. Only one program has the file open, so that reading it at the start is enough.
INSERT INTO counter (name, value) VALUES ('writer', 19);

-- unhashed: how many entries of the trail are from before entries told the hashes of contents.
INSERT INTO counter (name, value) SELECT 'unhashed', COALESCE(MAX(sequence), 0) FROM audit;

-- What is hashed with the contents of a record, so that nobody can guess them from the hash in the trail. '' for a record of
-- which no entry has a hash.
ALTER TABLE note ADD COLUMN salt TEXT NOT NULL DEFAULT '';
ALTER TABLE shop_user ADD COLUMN salt TEXT NOT NULL DEFAULT '';
