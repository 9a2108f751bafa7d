-- +goose Up
-- When the provider last said who the user is. Roles from groups end some time after that.
ALTER TABLE user_identity ADD COLUMN seen_at bigint NOT NULL DEFAULT 0;
UPDATE user_identity SET seen_at = COALESCE(
    (SELECT MAX(s.created_at) FROM access_session s WHERE s.user_id = user_identity.user_id AND s.method = 'oidc'), created_at);

-- The session at the provider that a session began with, as SHA-256 of the issuer and what it calls the session; '' for none.
ALTER TABLE access_session ADD COLUMN provider_session text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX access_session_by_provider ON access_session (provider_session);
