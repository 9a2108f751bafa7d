-- +goose Up
-- The prefix of the identifiers of serials: one row, which the first start adds and nothing changes.
CREATE TABLE serial_prefix (
    number INTEGER NOT NULL PRIMARY KEY CHECK (number = 1),
    prefix TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO serial_prefix (number, prefix) SELECT 1, 'SN' WHERE EXISTS (SELECT 1 FROM audit) OR EXISTS (SELECT 1 FROM serial);
