-- +goose Up
INSERT INTO characteristic (id, set_id)
    SELECT c.value ->> 'id', MAX(s.id) FROM step_characteristics s, json_array_elements(s.characteristics::json) c GROUP BY 1;
