-- +goose Up
-- Absent text is '' and an absent time is 0; no column is ever NULL. Times are milliseconds since 1970, UTC.
-- JSON is opaque text to SQL.

CREATE TABLE job (
    id             TEXT    NOT NULL PRIMARY KEY,
    name           TEXT    NOT NULL,
    goal_quantity  INTEGER NOT NULL,
    ticket_key     TEXT    NOT NULL,
    ticket_summary TEXT    NOT NULL,
    part_number    TEXT    NOT NULL,
    priority       TEXT    NOT NULL,
    epic_link      TEXT    NOT NULL,
    labels         TEXT    NOT NULL, -- JSON list, '' when none were supplied
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE path (
    id               TEXT    NOT NULL PRIMARY KEY,
    job_id           TEXT    NOT NULL REFERENCES job (id),
    name             TEXT    NOT NULL,
    goal_quantity    INTEGER NOT NULL,
    advancement_mode TEXT    NOT NULL,
    revision         TEXT    NOT NULL, -- new and unique with every change to the path or its steps
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX path_by_job ON path (job_id, id);

CREATE TABLE step (
    id              TEXT    NOT NULL PRIMARY KEY,
    path_id         TEXT    NOT NULL REFERENCES path (id),
    step_index      INTEGER NOT NULL,
    name            TEXT    NOT NULL,
    location        TEXT    NOT NULL,
    assigned_to     TEXT    NOT NULL,
    optional        INTEGER NOT NULL,
    dependency_type TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX step_by_path ON step (path_id, step_index);

CREATE TABLE serial (
    number                 INTEGER NOT NULL PRIMARY KEY, -- the number in its identifier: 417 is SN-00417
    path_id                TEXT    NOT NULL, -- refers to path; checked by whoever deletes a path, for want of an index by path alone
    position               INTEGER NOT NULL,
    status                 TEXT    NOT NULL CHECK (status IN ('in_progress', 'completed', 'scrapped')),
    scrap_reason           TEXT    NOT NULL DEFAULT '',
    scrap_explanation      TEXT    NOT NULL DEFAULT '',
    scrap_step_id          TEXT    NOT NULL DEFAULT '',
    scrapped_at            INTEGER NOT NULL DEFAULT 0,
    scrapped_by            TEXT    NOT NULL DEFAULT '',
    force_completed_by     TEXT    NOT NULL DEFAULT '', -- not '' when the serial was force-completed
    force_completed_at     INTEGER NOT NULL DEFAULT 0,
    force_completed_reason TEXT    NOT NULL DEFAULT '',
    created_at             INTEGER NOT NULL,
    updated_at             INTEGER NOT NULL
) STRICT;
-- Status first: what is in work is found without touching the years of serials that are done.
CREATE INDEX serial_by_status ON serial (status, path_id, position);

-- The steps that a serial bypassed. Every other step status follows from the serial's position.
CREATE TABLE step_exception (
    serial_number INTEGER NOT NULL REFERENCES serial (number),
    step_id       TEXT    NOT NULL,
    status        TEXT    NOT NULL CHECK (status IN ('skipped', 'deferred', 'waived', 'completed')),
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (serial_number, step_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX step_exception_by_step ON step_exception (step_id, status);

CREATE TABLE step_override (
    id            TEXT    NOT NULL PRIMARY KEY,
    serial_number INTEGER NOT NULL REFERENCES serial (number),
    step_id       TEXT    NOT NULL,
    active        INTEGER NOT NULL,
    reason        TEXT    NOT NULL,
    created_by    TEXT    NOT NULL,
    created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX step_override_by_serial ON step_override (serial_number, id);
CREATE INDEX step_override_by_step ON step_override (step_id);
CREATE UNIQUE INDEX step_override_active ON step_override (serial_number, step_id) WHERE active;

CREATE TABLE certificate (
    id         TEXT    NOT NULL PRIMARY KEY,
    type       TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    metadata   TEXT    NOT NULL, -- JSON object, '' when none was supplied
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE attachment (
    serial_number  INTEGER NOT NULL REFERENCES serial (number),
    certificate_id TEXT    NOT NULL REFERENCES certificate (id),
    step_id        TEXT    NOT NULL,
    id             TEXT    NOT NULL,
    attached_at    INTEGER NOT NULL,
    attached_by    TEXT    NOT NULL,
    PRIMARY KEY (serial_number, certificate_id, step_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX attachment_by_certificate ON attachment (certificate_id, id);
CREATE INDEX attachment_by_step ON attachment (step_id);

-- What a note names need not exist, so nothing here refers to another table.
CREATE TABLE note (
    id                 TEXT    NOT NULL PRIMARY KEY,
    job_id             TEXT    NOT NULL,
    path_id            TEXT    NOT NULL,
    step_id            TEXT    NOT NULL,
    serial_ids         TEXT    NOT NULL, -- JSON list, in the order given
    text               TEXT    NOT NULL,
    created_by         TEXT    NOT NULL,
    created_at         INTEGER NOT NULL,
    pushed_to_tracker  INTEGER NOT NULL,
    tracker_comment_id TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX note_by_step ON note (step_id, id);

-- Which notes name a serial: an index over note.serial_ids. It does not refer to note, which is never deleted from: to look
-- a note up, SQLite reads the whole row, so that a reference would cost the square of the length of a note's list.
CREATE TABLE note_serial (
    serial_id TEXT NOT NULL,
    note_id   TEXT NOT NULL,
    PRIMARY KEY (serial_id, note_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE bom (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    entries    TEXT    NOT NULL, -- JSON list, in the order given: read and replaced as one
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bom_version (
    bom_id             TEXT    NOT NULL REFERENCES bom (id),
    version_number     INTEGER NOT NULL,
    id                 TEXT    NOT NULL,
    entries_snapshot   TEXT    NOT NULL, -- JSON list
    change_description TEXT    NOT NULL,
    changed_by         TEXT    NOT NULL,
    created_at         INTEGER NOT NULL,
    PRIMARY KEY (bom_id, version_number)
) STRICT, WITHOUT ROWID;

CREATE TABLE library_entry (
    library    TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    id         TEXT    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (library, name)
) STRICT, WITHOUT ROWID;

-- The audit trail. sequence is the order of commit and has no gaps; the entry's identifier is made from it.
CREATE TABLE audit (
    sequence       INTEGER NOT NULL PRIMARY KEY,
    action         TEXT    NOT NULL,
    user_id        TEXT    NOT NULL,
    at             INTEGER NOT NULL,
    serial_number  INTEGER NOT NULL, -- 0 when the entry is about no serial
    certificate_id TEXT    NOT NULL,
    job_id         TEXT    NOT NULL,
    path_id        TEXT    NOT NULL,
    step_id        TEXT    NOT NULL,
    from_step_id   TEXT    NOT NULL,
    to_step_id     TEXT    NOT NULL,
    batch_quantity INTEGER NOT NULL,
    metadata       TEXT    NOT NULL -- JSON object, '' when there is none
) STRICT;
CREATE INDEX audit_by_serial ON audit (serial_number, sequence) WHERE serial_number <> 0;
CREATE INDEX audit_by_job ON audit (job_id, sequence) WHERE job_id <> '';

-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
-- +goose StatementEnd

-- serial: the last number handed out. probe: written to see whether writing works.
CREATE TABLE counter (
    name  TEXT    NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO counter (name, value) VALUES ('serial', 0), ('probe', 0);
