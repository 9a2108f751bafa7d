-- +goose Up
-- When, by whom and why a job was closed: 0 and '' for one that is open.
ALTER TABLE job ADD COLUMN closed_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN closed_by TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN close_reason TEXT NOT NULL DEFAULT '';
CREATE INDEX job_closed ON job (closed_at, id) WHERE closed_at <> 0;

-- An older program would make units in closed jobs.
SELECT set_config('routecard.tables', '49', true); -- see refuse_older_writer
SELECT raise_writer(49);
