-- +goose Up
-- issue identifies the ticket for good: its key changes when it is moved to another project. '' for a ticket that was linked before.
ALTER TABLE ticket_link ADD COLUMN issue TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX ticket_link_by_issue ON ticket_link (issue) WHERE issue <> '';
