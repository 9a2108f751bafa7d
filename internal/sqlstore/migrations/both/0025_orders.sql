-- +goose Up
-- What a job is for, in the words of the shop. part_number and priority are those of the tracker; own_part_number and
-- own_priority, 1 to 5, those of the shop. A due date is a day such as 2026-12-31, '' for none.
ALTER TABLE job ADD COLUMN own_part_number TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN part_revision TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN customer TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN order_number TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN due_date TEXT NOT NULL DEFAULT '';
ALTER TABLE job ADD COLUMN own_priority INTEGER NOT NULL DEFAULT 3;
ALTER TABLE path ADD COLUMN due_date TEXT NOT NULL DEFAULT '';
CREATE INDEX job_called_own_part ON job (lower(own_part_number), id DESC);
CREATE INDEX job_called_order ON job (lower(order_number), id DESC);
CREATE INDEX job_by_due ON job (due_date, id) WHERE due_date <> '';
CREATE INDEX job_called_customer ON job (lower(customer), id DESC);
