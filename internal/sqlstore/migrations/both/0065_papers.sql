-- +goose Up
-- What papers for the customer of a job have: '' for nothing. language is that of the papers.
ALTER TABLE job ADD COLUMN drawing_number TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN drawing_revision TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN order_line TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN customer_address TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN language TEXT NOT NULL DEFAULT '';
-- The number that the issuer of a certificate gave it, '' for none.
ALTER TABLE certificate ADD COLUMN number TEXT NOT NULL DEFAULT '';
