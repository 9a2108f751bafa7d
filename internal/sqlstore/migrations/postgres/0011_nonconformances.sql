-- +goose Up
-- What was noted or attached by mistake stays, and says that it does not count.
ALTER TABLE note
    ADD COLUMN voided_at bigint NOT NULL DEFAULT 0,
    ADD COLUMN voided_by text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN void_reason text COLLATE "C" NOT NULL DEFAULT '';

-- A certificate is on a serial at a step once, but for those that were voided: voided_as is '' for the one that counts,
-- and the attachment's own id once it is voided.
ALTER TABLE attachment
    ADD COLUMN voided_as text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN voided_at bigint NOT NULL DEFAULT 0,
    ADD COLUMN voided_by text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN void_reason text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE attachment DROP CONSTRAINT attachment_pkey;
ALTER TABLE attachment ADD PRIMARY KEY (serial_number, certificate_id, step_id, voided_as);
CREATE UNIQUE INDEX attachment_by_id ON attachment (id);
