-- +goose Up
-- A scan and the search find a lot by its code, in any case.
CREATE INDEX lot_called_code ON lot (lower(code), id DESC) WHERE code <> '';
