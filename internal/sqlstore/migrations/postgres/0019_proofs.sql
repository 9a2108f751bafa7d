-- +goose Up
-- writer: the least version of the tables that a program has to know to write. A program says in the setting routecard.tables
-- of its connections which version it knows; programs from before this migration say nothing, which counts as 0. A migration
-- that brings what older programs would break calls raise_writer with its own number.
INSERT INTO counter (name, value) VALUES ('writer', 19);

-- unhashed: how many entries of the trail are from before entries told the hashes of contents.
INSERT INTO counter (name, value) SELECT 'unhashed', COALESCE(MAX(sequence), 0) FROM audit;

-- +goose StatementBegin
CREATE FUNCTION refuse_older_writer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    needed bigint := (SELECT value FROM counter WHERE name = 'writer');
    known  bigint := COALESCE(NULLIF(current_setting('routecard.tables', true), ''), '0');
BEGIN
    IF known < needed THEN
        RAISE EXCEPTION 'this program is too old to write to this database: it knows its tables up to version %, and whoever writes has to know version %', known, needed
            USING ERRCODE = 'RC001', HINT = 'Replace it by the version of Routecard that the other instances have.';
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- Every change adds to the trail or counts itself, and the sealer writes tiles. Creating a trigger waits for transactions
-- that have written to the table, and so does raise_writer: what an older program has begun is committed before, or refused.
CREATE TRIGGER counter_writer BEFORE INSERT OR UPDATE ON counter FOR EACH STATEMENT EXECUTE FUNCTION refuse_older_writer();
CREATE TRIGGER audit_writer BEFORE INSERT ON audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_older_writer();
CREATE TRIGGER ledger_tile_writer BEFORE INSERT OR UPDATE ON ledger_tile FOR EACH STATEMENT EXECUTE FUNCTION refuse_older_writer();
CREATE TRIGGER ledger_checkpoint_writer BEFORE INSERT OR UPDATE ON ledger_checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_older_writer();

-- raise_writer keeps programs from writing that do not know a version of the tables, also those that are connected. It never
-- lowers the version.
-- +goose StatementBegin
CREATE FUNCTION raise_writer(needed bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1380139588, 1); -- the turn at the trail, see take_turn
    UPDATE counter SET value = GREATEST(value, needed) WHERE name = 'writer';
END
$$;
-- +goose StatementEnd

-- What is hashed with the contents of a record, so that nobody can guess them from the hash in the trail. '' for a record of
-- which no entry has a hash.
ALTER TABLE note ADD COLUMN salt text   COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE shop_user ADD COLUMN salt text   COLLATE "C" NOT NULL DEFAULT '';
