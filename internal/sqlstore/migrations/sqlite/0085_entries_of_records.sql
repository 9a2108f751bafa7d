-- +goose Up
-- Entries about no serial and no job, by the record that they concern. The index has the expression of the view literally, so that SQLite
-- uses it.
CREATE INDEX audit_of_record ON audit (
    CASE WHEN json_valid(metadata) THEN COALESCE(metadata ->> 'conformanceId', metadata ->> 'firstArticleId', metadata ->> 'lotId',
        metadata ->> 'nonconformanceId', metadata ->> 'instrumentId', metadata ->> 'shipmentId', metadata ->> 'recordId', certificate_id)
    ELSE certificate_id END, sequence)
    WHERE serial_number = 0 AND job_id = '';
CREATE VIEW entry_of_record AS SELECT
    CASE WHEN json_valid(metadata) THEN COALESCE(metadata ->> 'conformanceId', metadata ->> 'firstArticleId', metadata ->> 'lotId',
        metadata ->> 'nonconformanceId', metadata ->> 'instrumentId', metadata ->> 'shipmentId', metadata ->> 'recordId', certificate_id)
    ELSE certificate_id END AS record_id, sequence
    FROM audit WHERE serial_number = 0 AND job_id = '';
