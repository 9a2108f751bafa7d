-- +goose Up
-- The number of a unit's next pass follows from the reworks that began one, including those that were undone.
CREATE INDEX audit_reworks ON audit (serial_number) WHERE action = 'serial_reworked';
