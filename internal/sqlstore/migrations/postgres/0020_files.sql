-- +goose Up
-- Files by the SHA-256 of their bytes, which lie elsewhere. state is arriving, kept or leaving; attached is 1 once the file was
-- attached to anything, and stays so.
CREATE TABLE file (
    sha256      text   COLLATE "C" NOT NULL PRIMARY KEY,
    size        bigint NOT NULL,
    type        text   COLLATE "C" NOT NULL,
    pixels      bigint NOT NULL,
    uploaded_at bigint NOT NULL,
    state       text   COLLATE "C" NOT NULL,
    attached    bigint NOT NULL
);
CREATE INDEX file_unattached ON file (uploaded_at) WHERE attached = 0;

-- Who uploaded a file; '' for nobody in particular.
CREATE TABLE file_upload (
    sha256      text   COLLATE "C" NOT NULL REFERENCES file (sha256),
    uploaded_by text   COLLATE "C" NOT NULL,
    uploaded_at bigint NOT NULL,
    PRIMARY KEY (sha256, uploaded_by)
);

-- Files on records: on_kind says of which kind the record is, on_id which one it is.
CREATE TABLE file_link (
    id          text   COLLATE "C" NOT NULL PRIMARY KEY,
    on_kind     text   COLLATE "C" NOT NULL,
    on_id       text   COLLATE "C" NOT NULL,
    sha256      text   COLLATE "C" NOT NULL REFERENCES file (sha256),
    name        text   COLLATE "C" NOT NULL,
    kind        text   COLLATE "C" NOT NULL,
    note        text   COLLATE "C" NOT NULL,
    attached_by text   COLLATE "C" NOT NULL,
    attached_at bigint NOT NULL,
    voided_at   bigint NOT NULL DEFAULT 0,
    voided_by   text   COLLATE "C" NOT NULL DEFAULT '',
    void_reason text   COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX file_link_by_record ON file_link (on_kind, on_id, id);
CREATE INDEX file_link_by_file ON file_link (sha256);
