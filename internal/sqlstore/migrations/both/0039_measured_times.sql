-- +goose Up
-- taken_at is when a reading was taken, where a file says that; 0 where it was taken when it was entered, which is measured_at.
ALTER TABLE measurement ADD COLUMN taken_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX measurement_by_time ON measurement (characteristic_id, (CASE WHEN taken_at > 0 THEN taken_at ELSE measured_at END), id);
