-- +goose Up
-- What proved the second factor of a session: passkey, code or recovery; '' while nothing did.
ALTER TABLE access_session ADD COLUMN second text COLLATE "C" NOT NULL DEFAULT '';

-- The roles that need a second factor.
CREATE TABLE second_factor_role (
    role text COLLATE "C" NOT NULL PRIMARY KEY
);

CREATE TABLE passkey (
    id            text COLLATE "C" NOT NULL PRIMARY KEY,
    user_id       text COLLATE "C" NOT NULL REFERENCES shop_user (id),
    credential_id text COLLATE "C" NOT NULL UNIQUE, -- base64url, as the authenticator made it
    name          text COLLATE "C" NOT NULL,
    credential    text COLLATE "C" NOT NULL, -- the public key and what the authenticator says of itself, as JSON
    sign_count    bigint NOT NULL, -- of the last use; 0 of an authenticator that does not count
    created_at    bigint NOT NULL,
    last_used_at  bigint NOT NULL
);
CREATE INDEX passkey_by_user ON passkey (user_id, id);

-- The generator of one-time codes (RFC 6238) that a user has. The secret is encrypted with a key from the pepper.
CREATE TABLE one_time_code (
    user_id      text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES shop_user (id),
    secret       text COLLATE "C" NOT NULL,
    created_at   bigint NOT NULL,
    confirmed_at bigint NOT NULL, -- 0 until the first code was right
    last_step    bigint NOT NULL  -- that of the last code that was used
);

CREATE TABLE recovery_code (
    user_id    text COLLATE "C" NOT NULL REFERENCES shop_user (id),
    hash       text COLLATE "C" NOT NULL, -- HMAC-SHA-256 with the pepper
    created_at bigint NOT NULL,
    used_at    bigint NOT NULL, -- 0 while it is not
    PRIMARY KEY (user_id, hash)
);

-- What an authenticator was asked to sign and has not yet signed.
CREATE TABLE access_challenge (
    hash       text COLLATE "C" NOT NULL PRIMARY KEY, -- SHA-256 of the challenge
    purpose    text COLLATE "C" NOT NULL,
    bound_to   text COLLATE "C" NOT NULL, -- the session, the token or the attempt to sign in that has to answer it
    data       text COLLATE "C" NOT NULL, -- what the answer is judged by, as JSON
    created_at bigint NOT NULL
);
CREATE INDEX access_challenge_by_age ON access_challenge (created_at);
