-- +goose Up
-- Certificates of conformance. current is the id of the newest revision. withdrawn_at is 0 while it is issued.
CREATE TABLE conformance (
    id              TEXT    NOT NULL PRIMARY KEY,
    number          INTEGER NOT NULL,
    current         TEXT    NOT NULL,
    withdrawn_by    TEXT    NOT NULL DEFAULT '',
    withdrawn_at    INTEGER NOT NULL DEFAULT 0,
    withdraw_reason TEXT    NOT NULL DEFAULT '',
    updated_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX conformance_by_number ON conformance (number);
CREATE INDEX conformance_by_change ON conformance (updated_at, number);

-- The revisions of certificates: id is COC-00001/1. lines is a JSON array, sha256 the digest of the PDF. Rows never change.
CREATE TABLE conformance_revision (
    id               TEXT    NOT NULL PRIMARY KEY,
    conformance_id   TEXT    NOT NULL REFERENCES conformance (id),
    revision         INTEGER NOT NULL,
    customer         TEXT    NOT NULL,
    customer_address TEXT    NOT NULL,
    order_number     TEXT    NOT NULL,
    shipment_id      TEXT    NOT NULL,
    lines            TEXT    NOT NULL,
    units            INTEGER NOT NULL,
    statement        TEXT    NOT NULL,
    lang             TEXT    NOT NULL,
    sha256           TEXT    NOT NULL,
    size             INTEGER NOT NULL,
    signed           INTEGER NOT NULL,
    reason           TEXT    NOT NULL,
    issued_by        TEXT    NOT NULL,
    issued_at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX conformance_revision_by_certificate ON conformance_revision (conformance_id, revision);

-- The units of revisions. open is 1 while the revision is issued and the newest one.
CREATE TABLE conformance_unit (
    conformance_id TEXT    NOT NULL REFERENCES conformance (id),
    revision       INTEGER NOT NULL,
    serial_number  INTEGER NOT NULL REFERENCES serial (number),
    pass           INTEGER NOT NULL,
    open           INTEGER NOT NULL,
    PRIMARY KEY (conformance_id, revision, serial_number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX conformance_unit_open ON conformance_unit (serial_number, pass) WHERE open = 1;
CREATE INDEX conformance_unit_by_serial ON conformance_unit (serial_number, conformance_id, revision);

INSERT INTO counter (name, value) VALUES ('conformance', 0);
