-- +goose Up
-- A new job wrote to each of these, with an empty text to most of them. Now what a job leaves empty is in none. A ticket is found by its
-- text in small letters too, so that one index serves the search and the link to a ticket.
DROP INDEX job_by_ticket;
DROP INDEX job_called_ticket;
CREATE INDEX job_called_ticket ON job (lower(ticket_key), id DESC) WHERE ticket_key <> '';
DROP INDEX job_called_part;
CREATE INDEX job_called_part ON job (lower(part_number), id DESC) WHERE part_number <> '';
DROP INDEX job_called_own_part;
CREATE INDEX job_called_own_part ON job (lower(own_part_number), id DESC) WHERE own_part_number <> '';
DROP INDEX job_called_order;
CREATE INDEX job_called_order ON job (lower(order_number), id DESC) WHERE order_number <> '';
DROP INDEX job_called_customer;
CREATE INDEX job_called_customer ON job (lower(customer), id DESC) WHERE customer <> '';
