-- +goose Up
-- Files by the SHA-256 of their bytes, which lie elsewhere. state is arriving, kept or leaving; attached is 1 once the file was
-- attached to anything, and stays so.
CREATE TABLE file (
    sha256      TEXT    NOT NULL PRIMARY KEY,
    size        INTEGER NOT NULL,
    type        TEXT    NOT NULL,
    pixels      INTEGER NOT NULL,
    uploaded_at INTEGER NOT NULL,
    state       TEXT    NOT NULL,
    attached    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX file_unattached ON file (uploaded_at) WHERE attached = 0;

-- Who uploaded a file; '' for nobody in particular.
CREATE TABLE file_upload (
    sha256      TEXT    NOT NULL REFERENCES file (sha256),
    uploaded_by TEXT    NOT NULL,
    uploaded_at INTEGER NOT NULL,
    PRIMARY KEY (sha256, uploaded_by)
) STRICT, WITHOUT ROWID;

-- Files on records: on_kind says of which kind the record is, on_id which one it is.
CREATE TABLE file_link (
    id          TEXT    NOT NULL PRIMARY KEY,
    on_kind     TEXT    NOT NULL,
    on_id       TEXT    NOT NULL,
    sha256      TEXT    NOT NULL REFERENCES file (sha256),
    name        TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    note        TEXT    NOT NULL,
    attached_by TEXT    NOT NULL,
    attached_at INTEGER NOT NULL,
    voided_at   INTEGER NOT NULL DEFAULT 0,
    voided_by   TEXT    NOT NULL DEFAULT '',
    void_reason TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX file_link_by_record ON file_link (on_kind, on_id, id);
CREATE INDEX file_link_by_file ON file_link (sha256);
