-- +goose Up
-- What steps require of a unit before the unit leaves them, a row for each revision; requirements is JSON. The newest revision applies.
CREATE TABLE step_requirements (
    id           TEXT    NOT NULL PRIMARY KEY,
    step_id      TEXT    NOT NULL,
    revision     INTEGER NOT NULL,
    requirements TEXT    NOT NULL,
    changed_by   TEXT    NOT NULL,
    changed_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX step_requirements_by_step ON step_requirements (step_id, revision);

-- The bill of materials of a path, and the version of a bill that a unit keeps; '' and 0 for none.
ALTER TABLE path ADD COLUMN bom_id TEXT NOT NULL DEFAULT '';
ALTER TABLE serial ADD COLUMN bom_id TEXT NOT NULL DEFAULT '';
ALTER TABLE serial ADD COLUMN bom_version INTEGER NOT NULL DEFAULT 0;
-- 1 if a path or a unit refers to the bill, or did.
ALTER TABLE bom ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
