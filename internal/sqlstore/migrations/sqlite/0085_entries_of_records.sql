-- +goose Up
-- Entries about no serial, by the record that they are about. statement/audit.go repeats the expression literally.
CREATE INDEX audit_of_record ON audit (
    CASE WHEN json_valid(metadata) THEN COALESCE(metadata ->> 'lotId', metadata ->> 'nonconformanceId', metadata ->> 'instrumentId',
        metadata ->> 'shipmentId', metadata ->> 'recordId', certificate_id) ELSE certificate_id END, sequence)
    WHERE serial_number = 0;
