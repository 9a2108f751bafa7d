-- +goose Up
-- Who connected an account with a provider, until a second person confirms whose the account is; '' otherwise.
ALTER TABLE user_identity ADD COLUMN set_by TEXT NOT NULL DEFAULT '';
CREATE INDEX user_identity_unconfirmed ON user_identity (user_id) WHERE set_by <> '';
-- The setting confirmed: an account was confirmed before, so only people with a confirmed account confirm others.
INSERT INTO access_setting (name, value, at)
    SELECT 'confirmed', '', 0 WHERE EXISTS (SELECT 1 FROM audit WHERE action = 'account_confirmed');
