-- +goose Up
-- An older program would create units without the bill of their path.
SELECT set_config('routecard.tables', '57', true); -- see refuse_older_writer
SELECT raise_writer(57);
