-- +goose Up
-- In the order of changes, for those who ask what was changed since a time.
CREATE INDEX job_by_change ON job (updated_at, id);
CREATE INDEX certificate_by_change ON certificate (created_at, id);
CREATE INDEX bom_by_change ON bom (updated_at, id);
CREATE INDEX template_by_change ON template (updated_at, id);
CREATE INDEX library_entry_by_change ON library_entry (library, created_at, id);
