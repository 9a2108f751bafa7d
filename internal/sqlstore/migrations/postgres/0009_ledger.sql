-- +goose Up
-- The ledger over the audit trail, see package ledger. The tree follows from the trail; signatures do not.
CREATE TABLE ledger_tree (
    number   bigint NOT NULL PRIMARY KEY,
    origin   text   COLLATE "C" NOT NULL,
    began_at bigint NOT NULL
);

CREATE TABLE ledger_key (
    verifier_key text   COLLATE "C" NOT NULL PRIMARY KEY,
    added_at     bigint NOT NULL,
    retired_at   bigint NOT NULL -- 0 while it signs
);

-- Up to 256 hashes of one level, in base64; the last tile of a level is replaced while it grows.
CREATE TABLE ledger_tile (
    tree   bigint NOT NULL,
    level  bigint NOT NULL,
    number bigint NOT NULL,
    hashes text   COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX ledger_tile_place ON ledger_tile (tree, level, number);

-- The last one of each hour is kept.
CREATE TABLE ledger_checkpoint (
    tree      bigint NOT NULL,
    hour      bigint NOT NULL,
    size      bigint NOT NULL,
    signed    text   COLLATE "C" NOT NULL,
    sealed_at bigint NOT NULL,
    PRIMARY KEY (tree, hour)
);
CREATE INDEX ledger_checkpoint_size ON ledger_checkpoint (tree, size, hour);

-- The same with the cosignatures of witnesses.
CREATE TABLE ledger_cosigned (
    tree      bigint NOT NULL,
    hour      bigint NOT NULL,
    size      bigint NOT NULL,
    signed    text   COLLATE "C" NOT NULL,
    sealed_at bigint NOT NULL,
    PRIMARY KEY (tree, hour)
);
CREATE INDEX ledger_cosigned_size ON ledger_cosigned (tree, size, hour);
