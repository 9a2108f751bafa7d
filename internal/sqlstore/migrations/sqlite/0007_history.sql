-- +goose Up
-- What the trail tells of names and beginnings: when a unit was made, what a step or a person was called. These entries
-- are few; the index is not written when a serial advances.
CREATE INDEX audit_told ON audit (action, path_id, at)
    WHERE action IN ('serial_created', 'path_updated', 'path_deleted', 'user_changed');

-- Counts the changes that the trail does not tell of, for the name of the state of everything that is stored.
INSERT INTO counter (name, value) VALUES ('untold', 0);
