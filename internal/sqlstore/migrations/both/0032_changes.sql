-- +goose Up
-- When what a list shows of an override, a note or an operator was last changed: for those who ask what was changed since a time. 0 is
-- for an override that was never reversed, and a note that was posted nowhere or before there was this column.
ALTER TABLE step_override ADD COLUMN reversed_at INTEGER NOT NULL DEFAULT 0;
UPDATE step_override SET reversed_at = COALESCE((SELECT MIN(a.at) FROM audit a
        WHERE a.serial_number = step_override.serial_number AND a.serial_number <> 0 AND a.action = 'step_override_reversed'
        AND a.step_id = step_override.step_id AND a.at >= step_override.created_at), 0)
    WHERE NOT active;
ALTER TABLE note ADD COLUMN pushed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE shop_user ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
UPDATE shop_user SET changed_at = created_at;
CREATE INDEX shop_user_by_change ON shop_user (changed_at, id);
