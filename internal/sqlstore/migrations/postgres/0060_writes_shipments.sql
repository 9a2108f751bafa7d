-- +goose Up
-- An older program would move units that are with a supplier or customer.
SELECT set_config('routecard.tables', '60', true); -- see refuse_older_writer
SELECT raise_writer(60);
