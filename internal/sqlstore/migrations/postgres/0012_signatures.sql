-- +goose Up
-- Whose signatures an operation needs. What is not here needs none.
CREATE TABLE signature_policy (
    operation text COLLATE "C" NOT NULL PRIMARY KEY,
    demand    text COLLATE "C" NOT NULL CHECK (demand IN ('none', 'self', 'second'))
);

-- That somebody has signed, for one request within two minutes. The trail has the signatures themselves.
CREATE TABLE signature_ticket (
    hash         text COLLATE "C" NOT NULL PRIMARY KEY, -- SHA-256 of what the ticket's bearer shows
    user_id      text COLLATE "C" NOT NULL REFERENCES shop_user (id),
    login        text COLLATE "C" NOT NULL,
    printed_name text COLLATE "C" NOT NULL,
    meaning      text COLLATE "C" NOT NULL,
    method       text COLLATE "C" NOT NULL,
    operation    text COLLATE "C" NOT NULL,
    target       text COLLATE "C" NOT NULL,
    signed_at    bigint NOT NULL,
    expires_at   bigint NOT NULL,
    used_at      bigint NOT NULL, -- 0 while it is not
    used_for     text COLLATE "C" NOT NULL -- the request
);
CREATE INDEX signature_ticket_by_age ON signature_ticket (signed_at);
CREATE INDEX signature_ticket_by_request ON signature_ticket (used_for, hash);
