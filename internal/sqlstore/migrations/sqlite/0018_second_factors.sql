-- +goose Up
-- What proved the second factor of a session: passkey, code or recovery; '' while nothing did.
ALTER TABLE access_session ADD COLUMN second TEXT NOT NULL DEFAULT '';

-- The roles that need a second factor.
CREATE TABLE second_factor_role (
    role TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE passkey (
    id            TEXT NOT NULL PRIMARY KEY,
    user_id       TEXT NOT NULL REFERENCES shop_user (id),
    credential_id TEXT NOT NULL UNIQUE, -- base64url, as the authenticator made it
    name          TEXT NOT NULL,
    credential    TEXT NOT NULL, -- the public key and what the authenticator says of itself, as JSON
    sign_count    INTEGER NOT NULL, -- of the last use; 0 of an authenticator that does not count
    created_at    INTEGER NOT NULL,
    last_used_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_by_user ON passkey (user_id, id);

-- The generator of one-time codes (RFC 6238) that a user has. The secret is encrypted with a key from the pepper.
CREATE TABLE one_time_code (
    user_id      TEXT NOT NULL PRIMARY KEY REFERENCES shop_user (id),
    secret       TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    confirmed_at INTEGER NOT NULL, -- 0 until the first code was right
    last_step    INTEGER NOT NULL  -- that of the last code that was used
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_code (
    user_id    TEXT NOT NULL REFERENCES shop_user (id),
    hash       TEXT NOT NULL, -- HMAC-SHA-256 with the pepper
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL, -- 0 while it is not
    PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- What an authenticator was asked to sign and has not yet signed.
CREATE TABLE access_challenge (
    hash       TEXT NOT NULL PRIMARY KEY, -- SHA-256 of the challenge
    purpose    TEXT NOT NULL,
    bound_to   TEXT NOT NULL, -- the session, the token or the attempt to sign in that has to answer it
    data       TEXT NOT NULL, -- what the answer is judged by, as JSON
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX access_challenge_by_age ON access_challenge (created_at);
