-- +goose Up
-- Absent text is '' and an absent time is 0; no column is ever NULL. Times are milliseconds since 1970, UTC.
-- JSON is opaque text to SQL. Text is compared byte by byte, as everywhere else in Routecard.

CREATE TABLE job (
    id             text   COLLATE "C" NOT NULL PRIMARY KEY,
    name           text   COLLATE "C" NOT NULL,
    goal_quantity  bigint             NOT NULL,
    ticket_key     text   COLLATE "C" NOT NULL,
    ticket_summary text   COLLATE "C" NOT NULL,
    part_number    text   COLLATE "C" NOT NULL,
    priority       text   COLLATE "C" NOT NULL,
    epic_link      text   COLLATE "C" NOT NULL,
    labels         text   COLLATE "C" NOT NULL, -- JSON list, '' when none were supplied
    created_at     bigint             NOT NULL,
    updated_at     bigint             NOT NULL
);

CREATE TABLE path (
    id               text   COLLATE "C" NOT NULL PRIMARY KEY,
    job_id           text   COLLATE "C" NOT NULL REFERENCES job (id),
    name             text   COLLATE "C" NOT NULL,
    goal_quantity    bigint             NOT NULL,
    advancement_mode text   COLLATE "C" NOT NULL,
    revision         text   COLLATE "C" NOT NULL, -- new and unique with every change to the path or its steps
    created_at       bigint             NOT NULL,
    updated_at       bigint             NOT NULL
);
CREATE INDEX path_by_job ON path (job_id, id);

CREATE TABLE step (
    id              text    COLLATE "C" NOT NULL PRIMARY KEY,
    path_id         text    COLLATE "C" NOT NULL REFERENCES path (id),
    step_index      bigint              NOT NULL,
    name            text    COLLATE "C" NOT NULL,
    location        text    COLLATE "C" NOT NULL,
    assigned_to     text    COLLATE "C" NOT NULL,
    optional        boolean             NOT NULL,
    dependency_type text    COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX step_by_path ON step (path_id, step_index);

CREATE TABLE serial (
    number                 bigint             NOT NULL PRIMARY KEY, -- the number in its identifier: 417 is SN-00417
    path_id                text   COLLATE "C" NOT NULL, -- refers to path; checked by whoever deletes a path, for want of an index by path alone
    position               bigint             NOT NULL,
    status                 text   COLLATE "C" NOT NULL CHECK (status IN ('in_progress', 'completed', 'scrapped')),
    scrap_reason           text   COLLATE "C" NOT NULL DEFAULT '',
    scrap_explanation      text   COLLATE "C" NOT NULL DEFAULT '',
    scrap_step_id          text   COLLATE "C" NOT NULL DEFAULT '',
    scrapped_at            bigint             NOT NULL DEFAULT 0,
    scrapped_by            text   COLLATE "C" NOT NULL DEFAULT '',
    force_completed_by     text   COLLATE "C" NOT NULL DEFAULT '', -- not '' when the serial was force-completed
    force_completed_at     bigint             NOT NULL DEFAULT 0,
    force_completed_reason text   COLLATE "C" NOT NULL DEFAULT '',
    created_at             bigint             NOT NULL,
    updated_at             bigint             NOT NULL
);
-- Status first: what is in work is found without touching the years of serials that are done.
CREATE INDEX serial_by_status ON serial (status, path_id, position);

-- The steps that a serial bypassed. Every other step status follows from the serial's position.
CREATE TABLE step_exception (
    serial_number bigint             NOT NULL REFERENCES serial (number),
    step_id       text   COLLATE "C" NOT NULL,
    status        text   COLLATE "C" NOT NULL CHECK (status IN ('skipped', 'deferred', 'waived', 'completed')),
    updated_at    bigint             NOT NULL,
    PRIMARY KEY (serial_number, step_id)
);
CREATE INDEX step_exception_by_step ON step_exception (step_id, status);

CREATE TABLE step_override (
    id            text    COLLATE "C" NOT NULL PRIMARY KEY,
    serial_number bigint              NOT NULL REFERENCES serial (number),
    step_id       text    COLLATE "C" NOT NULL,
    active        boolean             NOT NULL,
    reason        text    COLLATE "C" NOT NULL,
    created_by    text    COLLATE "C" NOT NULL,
    created_at    bigint              NOT NULL
);
CREATE INDEX step_override_by_serial ON step_override (serial_number, id);
CREATE INDEX step_override_by_step ON step_override (step_id);
CREATE UNIQUE INDEX step_override_active ON step_override (serial_number, step_id) WHERE active;

CREATE TABLE certificate (
    id         text   COLLATE "C" NOT NULL PRIMARY KEY,
    type       text   COLLATE "C" NOT NULL,
    name       text   COLLATE "C" NOT NULL,
    metadata   text   COLLATE "C" NOT NULL, -- JSON object, '' when none was supplied
    created_at bigint             NOT NULL
);

CREATE TABLE attachment (
    serial_number  bigint             NOT NULL REFERENCES serial (number),
    certificate_id text   COLLATE "C" NOT NULL REFERENCES certificate (id),
    step_id        text   COLLATE "C" NOT NULL,
    id             text   COLLATE "C" NOT NULL,
    attached_at    bigint             NOT NULL,
    attached_by    text   COLLATE "C" NOT NULL,
    PRIMARY KEY (serial_number, certificate_id, step_id)
);
CREATE UNIQUE INDEX attachment_by_certificate ON attachment (certificate_id, id);
CREATE INDEX attachment_by_step ON attachment (step_id);

-- What a note names need not exist, so nothing here refers to another table.
CREATE TABLE note (
    id                 text    COLLATE "C" NOT NULL PRIMARY KEY,
    job_id             text    COLLATE "C" NOT NULL,
    path_id            text    COLLATE "C" NOT NULL,
    step_id            text    COLLATE "C" NOT NULL,
    serial_ids         text    COLLATE "C" NOT NULL, -- JSON list, in the order given
    text               text    COLLATE "C" NOT NULL,
    created_by         text    COLLATE "C" NOT NULL,
    created_at         bigint              NOT NULL,
    pushed_to_tracker  boolean             NOT NULL,
    tracker_comment_id text    COLLATE "C" NOT NULL
);
CREATE INDEX note_by_step ON note (step_id, id);

-- Which notes name a serial: an index over note.serial_ids.
CREATE TABLE note_serial (
    serial_id text COLLATE "C" NOT NULL,
    note_id   text COLLATE "C" NOT NULL REFERENCES note (id),
    PRIMARY KEY (serial_id, note_id)
);

CREATE TABLE bom (
    id         text   COLLATE "C" NOT NULL PRIMARY KEY,
    name       text   COLLATE "C" NOT NULL,
    entries    text   COLLATE "C" NOT NULL, -- JSON list, in the order given: read and replaced as one
    created_at bigint             NOT NULL,
    updated_at bigint             NOT NULL
);

CREATE TABLE bom_version (
    bom_id             text   COLLATE "C" NOT NULL REFERENCES bom (id),
    version_number     bigint             NOT NULL,
    id                 text   COLLATE "C" NOT NULL,
    entries_snapshot   text   COLLATE "C" NOT NULL, -- JSON list
    change_description text   COLLATE "C" NOT NULL,
    changed_by         text   COLLATE "C" NOT NULL,
    created_at         bigint             NOT NULL,
    PRIMARY KEY (bom_id, version_number)
);

CREATE TABLE library_entry (
    library    text   COLLATE "C" NOT NULL,
    name       text   COLLATE "C" NOT NULL,
    id         text   COLLATE "C" NOT NULL UNIQUE,
    created_at bigint             NOT NULL,
    PRIMARY KEY (library, name)
);

-- The audit trail. sequence is the order of commit and has no gaps; the entry's identifier is made from it.
-- Only a transaction that has taken its turn may add entries: see take_turn.
CREATE SEQUENCE audit_sequence;
CREATE TABLE audit (
    sequence       bigint             NOT NULL PRIMARY KEY DEFAULT nextval('audit_sequence'),
    action         text   COLLATE "C" NOT NULL,
    user_id        text   COLLATE "C" NOT NULL,
    at             bigint             NOT NULL,
    serial_number  bigint             NOT NULL, -- 0 when the entry is about no serial
    certificate_id text   COLLATE "C" NOT NULL,
    job_id         text   COLLATE "C" NOT NULL,
    path_id        text   COLLATE "C" NOT NULL,
    step_id        text   COLLATE "C" NOT NULL,
    from_step_id   text   COLLATE "C" NOT NULL,
    to_step_id     text   COLLATE "C" NOT NULL,
    batch_quantity bigint             NOT NULL,
    metadata       text   COLLATE "C" NOT NULL -- JSON object, '' when there is none
);
ALTER SEQUENCE audit_sequence OWNED BY audit.sequence;
CREATE INDEX audit_by_serial ON audit (serial_number, sequence) WHERE serial_number <> 0;
CREATE INDEX audit_by_job ON audit (job_id, sequence) WHERE job_id <> '';

-- +goose StatementBegin
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is append-only';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER audit_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- take_turn is the last thing before a transaction adds to the audit trail and commits. From here on transactions go
-- one after the other until they have committed, so that the order of sequence is the order of commit. The sequence
-- goes on behind the last entry that was committed: a transaction that failed leaves no gap.
-- known_paths and known_revisions are the paths that the transaction decided by: when one of them has changed
-- meanwhile, it has to decide again.
-- +goose StatementBegin
CREATE FUNCTION take_turn(known_paths text[], known_revisions text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1380139588, 1);
    IF EXISTS (SELECT 1 FROM unnest(known_paths, known_revisions) AS known (id, revision)
               LEFT JOIN path ON path.id = known.id WHERE path.revision IS DISTINCT FROM known.revision) THEN
        RAISE EXCEPTION 'a path was changed meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
    PERFORM setval('audit_sequence', (SELECT COALESCE(MAX(sequence), 0) + 1 FROM audit), false);
END
$$;
-- +goose StatementEnd

-- Changes to a path commit in turn too, so that what take_turn found unchanged is unchanged until the commit.
-- +goose StatementBegin
CREATE FUNCTION commit_in_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1380139588, 1);
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER path_in_turn AFTER UPDATE ON path DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION commit_in_turn();

-- serial: the last number handed out. probe: written to see whether writing works.
CREATE TABLE counter (
    name  text   COLLATE "C" NOT NULL PRIMARY KEY,
    value bigint             NOT NULL
);
INSERT INTO counter (name, value) VALUES ('serial', 0), ('probe', 0);
