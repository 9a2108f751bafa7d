-- +goose Up
-- Entries about no serial and no job, by the record that they concern. Metadata that somebody edited in the database may be no JSON.
-- +goose StatementBegin
CREATE FUNCTION audit_record(metadata text, certificate_id text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    told json;
BEGIN
    told := metadata::json;
    RETURN COALESCE(told ->> 'conformanceId', told ->> 'firstArticleId', told ->> 'lotId', told ->> 'nonconformanceId',
        told ->> 'instrumentId', told ->> 'shipmentId', told ->> 'recordId', certificate_id);
EXCEPTION WHEN others THEN
    RETURN certificate_id;
END
$$;
-- +goose StatementEnd
CREATE INDEX audit_of_record ON audit ((audit_record(metadata, certificate_id) COLLATE "C"), sequence) WHERE serial_number = 0 AND job_id = '';
CREATE VIEW entry_of_record AS SELECT audit_record(metadata, certificate_id) COLLATE "C" AS record_id, sequence
    FROM audit WHERE serial_number = 0 AND job_id = '';
