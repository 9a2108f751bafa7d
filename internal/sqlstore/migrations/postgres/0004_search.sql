-- +goose Up
-- The pages walk a path's serials newest first, and count what was closed lately. Neither index is written when a
-- serial advances.
CREATE INDEX serial_by_path_number ON serial (path_id, number);
CREATE INDEX serial_closed ON serial (updated_at, status, scrap_reason) WHERE status <> 'in_progress';
