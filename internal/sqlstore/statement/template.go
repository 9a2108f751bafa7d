package statement

import (
	"encoding/json"
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type templates struct{ *db.Core }

const (
	templateStored  = `id, name, steps, created_at, updated_at`
	templateColumns = templateStored + db.ExternalOf + string(shop.RecordTemplate) + `' AND x.record_id = template.id` + db.ExternalEnd
)

func scanTemplate(r db.Rows) (template shop.Template, err error) {
	var steps string
	if err := r.Scan(&template.ID, &template.Name, &steps, &template.CreatedAt, &template.UpdatedAt, &template.ExternalID); err != nil {
		return template, err
	}
	if wrong := json.Unmarshal([]byte(steps), &template.Steps); wrong != nil {
		err = &shop.UnreadableError{Table: "template", ID: template.ID, Err: wrong}
	}
	return template, err
}

func (t templates) InsertTemplate(template shop.Template) error {
	steps, err := json.Marshal(template.Steps)
	if err != nil {
		return err
	}
	return db.Run(t, `INSERT INTO template (`+templateStored+`) VALUES ($1, $2, $3, $4, $5)`,
		template.ID, template.Name, string(steps), int64(template.CreatedAt), int64(template.UpdatedAt))
}

func (t templates) UpdateTemplate(template shop.Template) error {
	steps, err := json.Marshal(template.Steps)
	if err != nil {
		return err
	}
	return db.ExpectOne(t, `UPDATE template SET name = $2, steps = $3, updated_at = $4 WHERE id = $1`,
		template.ID, template.Name, string(steps), int64(template.UpdatedAt))
}

func (t templates) DeleteTemplate(id string) error {
	return db.ExpectOne(t, `DELETE FROM template WHERE id = $1`, id)
}

func (t templates) Template(id string) (shop.Template, error) {
	return db.One(t, scanTemplate, `SELECT `+templateColumns+` FROM template WHERE id = $1`+t.Lock, id)
}

func (t templates) Templates() iter.Seq2[shop.Template, error] {
	type listed = db.Listed[shop.Template]
	return db.Readable(t.Core, db.Pages(func(last listed, first bool, limit int) ([]listed, bool, error) {
		if first {
			last.Record.ID = db.BeforeAll
		}
		return db.Page(t, db.Lenient(scanTemplate), `SELECT `+templateColumns+` FROM template
			WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.Record.ID, limit)
	}))
}
