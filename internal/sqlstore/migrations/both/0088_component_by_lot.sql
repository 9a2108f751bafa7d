-- +goose Up
-- The index has all columns that a recall reads, so that it need not look up a row for each unit of a lot.
DROP INDEX component_by_lot;
CREATE INDEX component_by_lot ON component (lot_id, id, serial_number, installed_at, removed_at, voided_at) WHERE lot_id <> '';
