-- +goose Up
-- As SQLite has it: the same condition in other words.
DROP INDEX audit_told;
CREATE INDEX audit_told ON audit (action, path_id, at)
    WHERE action = 'serial_created' OR action = 'path_updated' OR action = 'path_deleted' OR action = 'user_changed';
