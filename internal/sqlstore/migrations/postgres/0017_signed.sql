-- +goose Up
-- What an identity was proved with, for entries that one has made.
ALTER TABLE audit ADD COLUMN means text COLLATE "C" NOT NULL DEFAULT '';

-- What a ticket is for: the body of the request. One that was given before is for none.
ALTER TABLE signature_ticket ADD COLUMN body_sha256 text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE signature_ticket ADD COLUMN means text COLLATE "C" NOT NULL DEFAULT '';
