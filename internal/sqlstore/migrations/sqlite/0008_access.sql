-- +goose Up
-- Whose identity it was, when somebody acted for the user that an entry names; '' otherwise.
ALTER TABLE audit ADD COLUMN actor TEXT NOT NULL DEFAULT '';

-- Accounts. A login is given once, never changed and never given to somebody else: users are never deleted.
ALTER TABLE shop_user ADD COLUMN login TEXT NOT NULL DEFAULT '';
ALTER TABLE shop_user ADD COLUMN roles TEXT NOT NULL DEFAULT ''; -- separated by spaces
CREATE UNIQUE INDEX shop_user_by_login ON shop_user (login) WHERE login <> '';

-- What somebody proves to be a user with. Of passwords and PINs this is argon2id over an HMAC with the pepper, which is
-- not in the database; of badges, which are long and random, SHA-256.
CREATE TABLE user_secret (
    user_id     TEXT NOT NULL REFERENCES shop_user (id),
    kind        TEXT NOT NULL CHECK (kind IN ('password', 'pin', 'badge')),
    hash        TEXT NOT NULL,
    must_change INTEGER NOT NULL, -- set by somebody else
    changed_at  INTEGER NOT NULL,
    PRIMARY KEY (user_id, kind)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX user_secret_badge ON user_secret (hash) WHERE kind = 'badge';

-- Who a user is to a provider of OpenID Connect.
CREATE TABLE user_identity (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    TEXT NOT NULL REFERENCES shop_user (id),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_identity_by_user ON user_identity (user_id);

CREATE TABLE access_token (
    hash         TEXT NOT NULL PRIMARY KEY, -- SHA-256
    id           TEXT NOT NULL UNIQUE,
    user_id      TEXT NOT NULL REFERENCES shop_user (id),
    name         TEXT NOT NULL,
    permissions  TEXT NOT NULL, -- separated by spaces
    created_by   TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    revoked_at   INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX access_token_by_user ON access_token (user_id, id);

-- A device at which people sign in with a badge and a PIN.
CREATE TABLE station (
    hash       TEXT NOT NULL PRIMARY KEY, -- SHA-256 of what the device shows
    id         TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE access_session (
    hash       TEXT NOT NULL PRIMARY KEY, -- SHA-256
    id         TEXT NOT NULL UNIQUE,
    user_id    TEXT NOT NULL REFERENCES shop_user (id),
    station_id TEXT NOT NULL, -- '' at a device that is none
    method     TEXT NOT NULL,
    address    TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX access_session_by_user ON access_session (user_id, id);
CREATE INDEX access_session_by_age ON access_session (created_at);

-- Attempts to sign in that were wrong, or are being judged.
CREATE TABLE sign_in_attempt (
    subject TEXT NOT NULL, -- the account, the address or the station
    id      TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (subject, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_attempt_by_age ON sign_in_attempt (at);

-- setup: codes for the first sign-in, as SHA-256. pepper: tells the right pepper file from another.
CREATE TABLE access_setting (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL,
    at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
