-- +goose Up
-- The search finds records by the beginning of what they are called: the columns that shop.Record names in Called.
CREATE INDEX job_called_name ON job (lower(name), id DESC);
CREATE INDEX job_called_part ON job (lower(part_number), id DESC);
CREATE INDEX job_called_ticket ON job (lower(ticket_key), id DESC);
CREATE INDEX certificate_called_name ON certificate (lower(name), id DESC);
CREATE INDEX nonconformance_called_title ON nonconformance (lower(title), number DESC);
CREATE INDEX bom_called_name ON bom (lower(name), id DESC);
CREATE INDEX template_called_name ON template (lower(name), id DESC);
CREATE INDEX shop_user_called_name ON shop_user (lower(name), id DESC);
CREATE INDEX instrument_called_name ON instrument (lower(name), id DESC);
CREATE INDEX instrument_called_number ON instrument (lower(number), id DESC);
CREATE INDEX instrument_called_external ON instrument (lower(external_id), id DESC);
