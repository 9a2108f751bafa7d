-- +goose Up
-- One row for each installation of a unit (component_number, otherwise 0) or of an amount of a lot (lot_id, otherwise '') in a unit.
-- Part identifies the part of which part_serial_number is a number. A row is never deleted: it is removed or voided.
CREATE TABLE component (
    id                 TEXT    NOT NULL PRIMARY KEY,
    serial_number      INTEGER NOT NULL REFERENCES serial (number),
    component_number   INTEGER NOT NULL,
    lot_id             TEXT    NOT NULL,
    quantity           TEXT    NOT NULL,
    unit               TEXT    NOT NULL,
    part_type          TEXT    NOT NULL,
    part               TEXT    NOT NULL,
    part_serial_number TEXT    NOT NULL,
    place              TEXT    NOT NULL,
    substitute_reason  TEXT    NOT NULL,
    step_id            TEXT    NOT NULL,
    pass               INTEGER NOT NULL,
    installed_by       TEXT    NOT NULL,
    installed_at       INTEGER NOT NULL,
    removed_by         TEXT    NOT NULL DEFAULT '',
    removed_at         INTEGER NOT NULL DEFAULT 0,
    remove_reason      TEXT    NOT NULL DEFAULT '',
    returned           INTEGER NOT NULL DEFAULT 0,
    voided_at          INTEGER NOT NULL DEFAULT 0,
    voided_by          TEXT    NOT NULL DEFAULT '',
    void_reason        TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX component_installed_once ON component (component_number)
    WHERE component_number <> 0 AND removed_at = 0 AND voided_at = 0;
CREATE UNIQUE INDEX component_part_once ON component (part, part_serial_number)
    WHERE part_serial_number <> '' AND removed_at = 0 AND voided_at = 0;
CREATE INDEX component_by_serial ON component (serial_number, id);
CREATE INDEX component_by_unit ON component (component_number, id) WHERE component_number <> 0;
CREATE INDEX component_by_lot ON component (lot_id, id) WHERE lot_id <> '';
CREATE INDEX component_by_step ON component (step_id, id);
