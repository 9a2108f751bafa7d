-- +goose Up
-- Lots of material. Numbers are as typed, '' for a lot without a quantity. part is the part number or else the material: with it, the
-- supplier and the number of a lot are unique among lots that are not voided. parent_id is the lot that a lot was split from.
CREATE TABLE lot (
    id                   TEXT    NOT NULL PRIMARY KEY,
    lot_number           TEXT    NOT NULL,
    part                 TEXT    NOT NULL,
    material             TEXT    NOT NULL,
    category             TEXT    NOT NULL,
    part_number          TEXT    NOT NULL,
    part_revision        TEXT    NOT NULL,
    supplier_lot         TEXT    NOT NULL,
    heat_number          TEXT    NOT NULL,
    supplier             TEXT    NOT NULL,
    manufacturer         TEXT    NOT NULL,
    order_number         TEXT    NOT NULL,
    specification        TEXT    NOT NULL,
    code                 TEXT    NOT NULL,
    customer_approval    TEXT    NOT NULL,
    owner                TEXT    NOT NULL,
    quantity             TEXT    NOT NULL,
    unit                 TEXT    NOT NULL,
    remaining            TEXT    NOT NULL,
    received_on          TEXT    NOT NULL,
    expires_on           TEXT    NOT NULL,
    certificate_required INTEGER NOT NULL,
    parent_id            TEXT    NOT NULL,
    created_by           TEXT    NOT NULL,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL,
    voided_at            INTEGER NOT NULL DEFAULT 0,
    voided_by            TEXT    NOT NULL DEFAULT '',
    void_reason          TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX lot_by_number ON lot (lot_number, part, supplier) WHERE voided_at = 0;
CREATE INDEX lot_by_parent ON lot (parent_id, id) WHERE parent_id <> '';
CREATE INDEX lot_by_change ON lot (updated_at, id);
CREATE INDEX lot_by_part_number ON lot (part_number, id DESC);
CREATE INDEX lot_by_supplier ON lot (supplier, id DESC);
CREATE INDEX lot_called_number ON lot (lower(lot_number), id DESC);
CREATE INDEX lot_called_heat ON lot (lower(heat_number), id DESC);
CREATE INDEX lot_called_supplier_lot ON lot (lower(supplier_lot), id DESC);

CREATE TABLE lot_hold (
    id                TEXT    NOT NULL PRIMARY KEY,
    lot_id            TEXT    NOT NULL REFERENCES lot (id),
    reason            TEXT    NOT NULL,
    nonconformance_id TEXT    NOT NULL,
    placed_by         TEXT    NOT NULL,
    placed_at         INTEGER NOT NULL,
    released_by       TEXT    NOT NULL,
    released_at       INTEGER NOT NULL,
    release_reason    TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX lot_hold_by_lot ON lot_hold (lot_id, id);
CREATE INDEX lot_hold_open ON lot_hold (lot_id) WHERE released_at = 0;

CREATE TABLE lot_certificate (
    id             TEXT    NOT NULL PRIMARY KEY,
    lot_id         TEXT    NOT NULL REFERENCES lot (id),
    certificate_id TEXT    NOT NULL REFERENCES certificate (id),
    attached_by    TEXT    NOT NULL,
    attached_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX lot_certificate_by_lot ON lot_certificate (lot_id, certificate_id);
CREATE INDEX lot_certificate_by_certificate ON lot_certificate (certificate_id, lot_id);

INSERT INTO counter (name, value) VALUES ('lot', 0);
