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

-- A report of units that are not as they should be. It is open while closed_at is 0.
CREATE TABLE nonconformance (
    number      bigint NOT NULL PRIMARY KEY,
    title       text   COLLATE "C" NOT NULL,
    description text   COLLATE "C" NOT NULL,
    severity    text   COLLATE "C" NOT NULL,
    step_id     text   COLLATE "C" NOT NULL,
    opened_by   text   COLLATE "C" NOT NULL,
    opened_at   bigint NOT NULL,
    closed_by   text   COLLATE "C" NOT NULL,
    closed_at   bigint NOT NULL,
    summary     text   COLLATE "C" NOT NULL
);
CREATE INDEX nonconformance_open ON nonconformance (number) WHERE closed_at = 0;
CREATE INDEX nonconformance_by_step ON nonconformance (step_id) WHERE step_id <> '';

-- The units on a report, each with what was decided about it: disposition is '' until something is. found_at is the place in
-- its path of the step where it was found.
CREATE TABLE nonconforming_unit (
    nonconformance_number bigint NOT NULL REFERENCES nonconformance (number),
    serial_number         bigint NOT NULL REFERENCES serial (number),
    found_at              bigint NOT NULL,
    disposition           text   COLLATE "C" NOT NULL,
    decided_by            text   COLLATE "C" NOT NULL,
    decided_at            bigint NOT NULL,
    reason                text   COLLATE "C" NOT NULL,
    concession            text   COLLATE "C" NOT NULL,
    PRIMARY KEY (nonconformance_number, serial_number)
);
CREATE INDEX nonconforming_unit_by_serial ON nonconforming_unit (serial_number, nonconformance_number);

INSERT INTO counter (name, value) VALUES ('nonconformance', 0);
