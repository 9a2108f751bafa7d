-- +goose Up
-- First article inspections. serial_ids has the units with blanks between them; characteristics, typed and customer are JSON, '' for none.
-- content is the text of the file with the digest sha256, as long as the inspection is verified.
CREATE TABLE first_article (
    id              TEXT    NOT NULL PRIMARY KEY,
    number          INTEGER NOT NULL,
    status          TEXT    NOT NULL,
    job_id          TEXT    NOT NULL REFERENCES job (id),
    path_id         TEXT    NOT NULL REFERENCES path (id),
    serial_ids      TEXT    NOT NULL,
    kind            TEXT    NOT NULL,
    reason          TEXT    NOT NULL,
    baseline        TEXT    NOT NULL,
    characteristics TEXT    NOT NULL,
    identifier      TEXT    NOT NULL,
    part_number     TEXT    NOT NULL,
    part_revision   TEXT    NOT NULL,
    typed           TEXT    NOT NULL,
    created_by      TEXT    NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    verified_by     TEXT    NOT NULL,
    verified_at     INTEGER NOT NULL,
    sha256          TEXT    NOT NULL,
    approved_by     TEXT    NOT NULL,
    approved_at     INTEGER NOT NULL,
    customer        TEXT    NOT NULL,
    content         TEXT    NOT NULL,
    voided_at       INTEGER NOT NULL DEFAULT 0,
    voided_by       TEXT    NOT NULL DEFAULT '',
    void_reason     TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX first_article_by_number ON first_article (number);
CREATE INDEX first_article_by_change ON first_article (updated_at, number);
CREATE INDEX first_article_by_path ON first_article (path_id, number);
CREATE INDEX first_article_by_job ON first_article (job_id, number);
CREATE INDEX first_article_by_part ON first_article (part_number, part_revision, number);

-- The units of first article inspections.
CREATE TABLE first_article_unit (
    first_article_id TEXT    NOT NULL REFERENCES first_article (id),
    serial_number    INTEGER NOT NULL REFERENCES serial (number),
    PRIMARY KEY (first_article_id, serial_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX first_article_unit_by_serial ON first_article_unit (serial_number, first_article_id);

INSERT INTO counter (name, value) VALUES ('first_article', 0);
