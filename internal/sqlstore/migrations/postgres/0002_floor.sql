-- +goose Up
CREATE TABLE shop_user (
    id         text    COLLATE "C" NOT NULL PRIMARY KEY,
    name       text    COLLATE "C" NOT NULL,
    department text    COLLATE "C" NOT NULL,
    active     boolean             NOT NULL,
    created_at bigint              NOT NULL
);
CREATE INDEX shop_user_by_name ON shop_user (name, id);

CREATE TABLE template (
    id         text   COLLATE "C" NOT NULL PRIMARY KEY,
    name       text   COLLATE "C" NOT NULL,
    steps      text   COLLATE "C" NOT NULL, -- JSON list, in order: read and replaced as one
    created_at bigint             NOT NULL,
    updated_at bigint             NOT NULL
);

CREATE INDEX step_by_operator ON step (assigned_to) WHERE assigned_to <> '';
