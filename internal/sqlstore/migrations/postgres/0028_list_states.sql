-- +goose Up
-- Counts the changes without an entry in the trail that write no job. The others go on to be counted as untold, for the name of
-- the state of the list of jobs, as do all of those of a program that does not know this counter.
SELECT set_config('routecard.tables', '28', true); -- see refuse_older_writer
INSERT INTO counter (name, value) VALUES ('beside', 0);

-- The newest entry about a job, for the same name. Such entries are few.
CREATE INDEX audit_of_jobs ON audit (sequence) WHERE action = 'job_created' OR action = 'job_changed';
