-- +goose Up
-- Shipments of units to suppliers (kind outside) and customers. Days are in the time zone of the shop, '' for none.
CREATE TABLE shipment (
    id            TEXT    NOT NULL PRIMARY KEY,
    number        INTEGER NOT NULL,
    kind          TEXT    NOT NULL,
    supplier      TEXT    NOT NULL,
    customer      TEXT    NOT NULL,
    order_number  TEXT    NOT NULL,
    sent_on       TEXT    NOT NULL,
    expected_back TEXT    NOT NULL,
    sent          INTEGER NOT NULL,
    created_by    TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX shipment_by_number ON shipment (number);
CREATE INDEX shipment_by_change ON shipment (updated_at, number);

-- The units of a shipment. A line is open while settled_at is 0. receipt_id is the receipt with the result. certified says whether the
-- receipt has a certificate.
CREATE TABLE shipment_line (
    shipment_id   TEXT    NOT NULL REFERENCES shipment (id),
    serial_number INTEGER NOT NULL REFERENCES serial (number),
    step_id       TEXT    NOT NULL,
    pass          INTEGER NOT NULL,
    result        TEXT    NOT NULL,
    receipt_id    TEXT    NOT NULL,
    reason        TEXT    NOT NULL,
    settled_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    certified     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (shipment_id, serial_number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX shipment_line_away ON shipment_line (serial_number) WHERE settled_at = 0;
CREATE INDEX shipment_line_by_serial ON shipment_line (serial_number, shipment_id);
CREATE INDEX shipment_line_open ON shipment_line (shipment_id, serial_number) WHERE settled_at = 0;
CREATE INDEX shipment_line_by_receipt ON shipment_line (receipt_id, serial_number) WHERE receipt_id <> '';
CREATE INDEX shipment_line_by_step ON shipment_line (step_id, serial_number);
CREATE INDEX shipment_line_by_change ON shipment_line (shipment_id, updated_at, serial_number);

-- What came back at one time. missing is a JSON array.
CREATE TABLE receipt (
    id                TEXT    NOT NULL PRIMARY KEY,
    shipment_id       TEXT    NOT NULL REFERENCES shipment (id),
    received          INTEGER NOT NULL,
    rejected          INTEGER NOT NULL,
    missing           TEXT    NOT NULL,
    nonconformance_id TEXT    NOT NULL,
    packing_slip      TEXT    NOT NULL,
    received_by       TEXT    NOT NULL,
    received_at       INTEGER NOT NULL,
    voided_at         INTEGER NOT NULL DEFAULT 0,
    voided_by         TEXT    NOT NULL DEFAULT '',
    void_reason       TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_by_shipment ON receipt (shipment_id, id);

CREATE TABLE receipt_certificate (
    id             TEXT    NOT NULL PRIMARY KEY,
    receipt_id     TEXT    NOT NULL REFERENCES receipt (id),
    certificate_id TEXT    NOT NULL REFERENCES certificate (id),
    attached_by    TEXT    NOT NULL,
    attached_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX receipt_certificate_by_receipt ON receipt_certificate (receipt_id, certificate_id);
CREATE INDEX receipt_certificate_by_certificate ON receipt_certificate (certificate_id, receipt_id);

INSERT INTO counter (name, value) VALUES ('shipment', 0);
