package sqlstore

import (
	"encoding/json"
	"iter"

	"github.com/routecard/routecard/shop"
)

const (
	templateStored  = `id, name, steps, created_at, updated_at`
	templateColumns = templateStored + externalOf + string(shop.RecordTemplate) + `' AND x.record_id = template.id` + externalEnd
)

func scanTemplate(r rows) (template shop.Template, err error) {
	var steps string
	if err := r.Scan(&template.ID, &template.Name, &steps, &template.CreatedAt, &template.UpdatedAt, &template.ExternalID); err != nil {
		return template, err
	}
	if wrong := json.Unmarshal([]byte(steps), &template.Steps); wrong != nil {
		err = &shop.UnreadableError{Table: "template", ID: template.ID, Err: wrong}
	}
	return template, err
}

func (t *transaction) InsertTemplate(template shop.Template) error {
	steps, err := json.Marshal(template.Steps)
	if err != nil {
		return err
	}
	return run(t, `INSERT INTO template (`+templateStored+`) VALUES ($1, $2, $3, $4, $5)`,
		template.ID, template.Name, string(steps), int64(template.CreatedAt), int64(template.UpdatedAt))
}

func (t *transaction) UpdateTemplate(template shop.Template) error {
	steps, err := json.Marshal(template.Steps)
	if err != nil {
		return err
	}
	return expectOne(t, `UPDATE template SET name = $2, steps = $3, updated_at = $4 WHERE id = $1`,
		template.ID, template.Name, string(steps), int64(template.UpdatedAt))
}

func (t *transaction) DeleteTemplate(id string) error {
	return expectOne(t, `DELETE FROM template WHERE id = $1`, id)
}

func (t *transaction) Template(id string) (shop.Template, error) {
	return one(t, scanTemplate, `SELECT `+templateColumns+` FROM template WHERE id = $1`+t.lock, id)
}

func (t *transaction) Templates() iter.Seq2[shop.Template, error] {
	return readable(t, pages(func(last listed[shop.Template], first bool, limit int) ([]listed[shop.Template], bool, error) {
		if first {
			last.record.ID = beforeAll
		}
		return page(t, lenient(scanTemplate), `SELECT `+templateColumns+` FROM template
			WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.record.ID, limit)
	}))
}
