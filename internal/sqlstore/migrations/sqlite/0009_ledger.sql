-- +goose Up
-- The ledger over the audit trail, see package ledger. The tree follows from the trail; signatures do not.
CREATE TABLE ledger_tree (
    number   INTEGER NOT NULL PRIMARY KEY,
    origin   TEXT    NOT NULL,
    began_at INTEGER NOT NULL
) STRICT;

CREATE TABLE ledger_key (
    verifier_key TEXT    NOT NULL PRIMARY KEY,
    added_at     INTEGER NOT NULL,
    retired_at   INTEGER NOT NULL -- 0 while it signs
) STRICT, WITHOUT ROWID;

-- Up to 256 hashes of one level, in base64; the last tile of a level is replaced while it grows.
CREATE TABLE ledger_tile (
    tree   INTEGER NOT NULL,
    level  INTEGER NOT NULL,
    number INTEGER NOT NULL,
    hashes TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX ledger_tile_place ON ledger_tile (tree, level, number);

-- The last one of each hour is kept.
CREATE TABLE ledger_checkpoint (
    tree      INTEGER NOT NULL,
    hour      INTEGER NOT NULL,
    size      INTEGER NOT NULL,
    signed    TEXT    NOT NULL,
    sealed_at INTEGER NOT NULL,
    PRIMARY KEY (tree, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_checkpoint_size ON ledger_checkpoint (tree, size, hour);

-- The same with the cosignatures of witnesses.
CREATE TABLE ledger_cosigned (
    tree      INTEGER NOT NULL,
    hour      INTEGER NOT NULL,
    size      INTEGER NOT NULL,
    signed    TEXT    NOT NULL,
    sealed_at INTEGER NOT NULL,
    PRIMARY KEY (tree, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_cosigned_size ON ledger_cosigned (tree, size, hour);
