-- +goose Up
-- The shop as printed papers show it: one row, or none as long as nobody set it. Optional texts are '' for none. logo is the SHA-256 of a
-- picture.
CREATE TABLE organization (
    id            TEXT NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL,
    address       TEXT NOT NULL,
    supplier_code TEXT NOT NULL,
    logo          TEXT NOT NULL,
    statement     TEXT NOT NULL,
    lang          TEXT NOT NULL
) STRICT, WITHOUT ROWID;
