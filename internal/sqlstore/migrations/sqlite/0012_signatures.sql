-- +goose Up
-- Whose signatures an operation needs. What is not here needs none.
CREATE TABLE signature_policy (
    operation TEXT NOT NULL PRIMARY KEY,
    demand    TEXT NOT NULL CHECK (demand IN ('none', 'self', 'second'))
) STRICT, WITHOUT ROWID;

-- That somebody has signed, for one request within two minutes. The trail has the signatures themselves.
CREATE TABLE signature_ticket (
    hash         TEXT    NOT NULL PRIMARY KEY, -- SHA-256 of what the ticket's bearer shows
    user_id      TEXT    NOT NULL REFERENCES shop_user (id),
    login        TEXT    NOT NULL,
    printed_name TEXT    NOT NULL,
    meaning      TEXT    NOT NULL,
    method       TEXT    NOT NULL,
    operation    TEXT    NOT NULL,
    target       TEXT    NOT NULL,
    signed_at    INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    used_at      INTEGER NOT NULL, -- 0 while it is not
    used_for     TEXT    NOT NULL -- the request
) STRICT, WITHOUT ROWID;
CREATE INDEX signature_ticket_by_age ON signature_ticket (signed_at);
CREATE INDEX signature_ticket_by_request ON signature_ticket (used_for, hash);
