-- +goose Up
INSERT INTO characteristic (id, set_id)
    SELECT json_extract(c.value, '$.id'), MAX(s.id)
    FROM step_characteristics s, json_each(CASE WHEN json_valid(s.characteristics) THEN s.characteristics ELSE '[]' END) c
    GROUP BY 1;
