-- +goose Up
-- Whose identity it was, when somebody acted for the user that an entry names; '' otherwise.
ALTER TABLE audit ADD COLUMN actor text COLLATE "C" NOT NULL DEFAULT '';

-- Accounts. A login is given once, never changed and never given to somebody else: users are never deleted.
ALTER TABLE shop_user ADD COLUMN login text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE shop_user ADD COLUMN roles text COLLATE "C" NOT NULL DEFAULT ''; -- separated by spaces
CREATE UNIQUE INDEX shop_user_by_login ON shop_user (login) WHERE login <> '';

-- What somebody proves to be a user with. Of passwords and PINs this is argon2id over an HMAC with the pepper, which is
-- not in the database; of badges, which are long and random, SHA-256.
CREATE TABLE user_secret (
    user_id     text COLLATE "C" NOT NULL REFERENCES shop_user (id),
    kind        text COLLATE "C" NOT NULL CHECK (kind IN ('password', 'pin', 'badge')),
    hash        text COLLATE "C" NOT NULL,
    must_change boolean NOT NULL, -- set by somebody else
    changed_at  bigint NOT NULL,
    PRIMARY KEY (user_id, kind)
);
CREATE UNIQUE INDEX user_secret_badge ON user_secret (hash) WHERE kind = 'badge';

-- Who a user is to a provider of OpenID Connect.
CREATE TABLE user_identity (
    issuer     text COLLATE "C" NOT NULL,
    subject    text COLLATE "C" NOT NULL,
    user_id    text COLLATE "C" NOT NULL REFERENCES shop_user (id),
    created_at bigint NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX user_identity_by_user ON user_identity (user_id);

CREATE TABLE access_token (
    hash         text COLLATE "C" NOT NULL PRIMARY KEY, -- SHA-256
    id           text COLLATE "C" NOT NULL UNIQUE,
    user_id      text COLLATE "C" NOT NULL REFERENCES shop_user (id),
    name         text COLLATE "C" NOT NULL,
    permissions  text COLLATE "C" NOT NULL, -- separated by spaces
    created_by   text COLLATE "C" NOT NULL,
    created_at   bigint NOT NULL,
    expires_at   bigint NOT NULL,
    revoked_at   bigint NOT NULL,
    last_used_at bigint NOT NULL
);
CREATE INDEX access_token_by_user ON access_token (user_id, id);

-- A device at which people sign in with a badge and a PIN.
CREATE TABLE station (
    hash       text COLLATE "C" NOT NULL PRIMARY KEY, -- SHA-256 of what the device shows
    id         text COLLATE "C" NOT NULL UNIQUE,
    name       text COLLATE "C" NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint NOT NULL
);

CREATE TABLE access_session (
    hash       text COLLATE "C" NOT NULL PRIMARY KEY, -- SHA-256
    id         text COLLATE "C" NOT NULL UNIQUE,
    user_id    text COLLATE "C" NOT NULL REFERENCES shop_user (id),
    station_id text COLLATE "C" NOT NULL, -- '' at a device that is none
    method     text COLLATE "C" NOT NULL,
    address    text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    seen_at    bigint NOT NULL
);
CREATE INDEX access_session_by_user ON access_session (user_id, id);
CREATE INDEX access_session_by_age ON access_session (created_at);

-- Attempts to sign in that were wrong, or are being judged.
CREATE TABLE sign_in_attempt (
    subject text COLLATE "C" NOT NULL, -- the account, the address or the station
    id      text COLLATE "C" NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (subject, id)
);
CREATE INDEX sign_in_attempt_by_age ON sign_in_attempt (at);

-- setup: codes for the first sign-in, as SHA-256. pepper: tells the right pepper file from another.
CREATE TABLE access_setting (
    name  text COLLATE "C" NOT NULL PRIMARY KEY,
    value text COLLATE "C" NOT NULL,
    at    bigint NOT NULL
);
