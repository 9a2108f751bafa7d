-- +goose Up
-- Fails a transaction that was decided by what its instance remembered, and that turned out to have changed.
-- +goose StatementBegin
CREATE FUNCTION decide_again() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a card was changed meanwhile' USING ERRCODE = 'serialization_failure';
END
$$;
-- +goose StatementEnd
