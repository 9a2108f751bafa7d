-- +goose Up
-- Whose an account is: 'program', or '' for a person's. One that only ever had tokens was a program's.
ALTER TABLE shop_user ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT '';
UPDATE shop_user SET kind = 'program' WHERE login <> ''
    AND EXISTS (SELECT 1 FROM access_token t WHERE t.user_id = shop_user.id)
    AND NOT EXISTS (SELECT 1 FROM user_secret s WHERE s.user_id = shop_user.id)
    AND NOT EXISTS (SELECT 1 FROM user_identity i WHERE i.user_id = shop_user.id);

-- Who set a secret for somebody else and knows it, until a second person confirms whose it is; '' otherwise.
ALTER TABLE user_secret ADD COLUMN set_by text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX user_secret_unconfirmed ON user_secret (user_id) WHERE set_by <> '';

-- When a password or a PIN was last given in the session.
ALTER TABLE access_session ADD COLUMN confirmed_at bigint NOT NULL DEFAULT 0;
