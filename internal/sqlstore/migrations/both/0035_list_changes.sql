-- +goose Up
-- In the order of changes, for those who ask what was changed since a time. What a list of holds or of readings shows of one changes
-- once: when the hold is released, or the reading voided.
CREATE INDEX hold_by_change ON hold ((CASE WHEN released_at > placed_at THEN released_at ELSE placed_at END), id);
CREATE INDEX measurement_by_change ON measurement ((CASE WHEN voided_at > measured_at THEN voided_at ELSE measured_at END), id);
CREATE INDEX instrument_by_change ON instrument (updated_at, id);
