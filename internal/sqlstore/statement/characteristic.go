package statement

import (
	"encoding/json"
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

type characteristics struct{ *db.Core }

const setColumns = `id, step_id, revision, characteristics, changed_by, changed_at`

// ScanSet scans the characteristics of a step.
func ScanSet(r db.Rows) (set card.CharacteristicSet, err error) {
	var characteristics string
	if err := r.Scan(&set.ID, &set.StepID, &set.Revision, &characteristics, &set.ChangedBy, &set.ChangedAt); err != nil {
		return set, err
	}
	err = decodeSet(&set, characteristics)
	return set, err
}

func decodeSet(set *card.CharacteristicSet, characteristics string) error {
	if wrong := json.Unmarshal([]byte(characteristics), &set.Characteristics); wrong != nil {
		return &shop.UnreadableError{Table: "step_characteristics", ID: set.ID, Err: wrong}
	}
	return nil
}

func (t characteristics) InsertCharacteristics(set card.CharacteristicSet) error {
	characteristics, err := json.Marshal(set.Characteristics)
	if err != nil {
		return err
	}
	if err := db.Run(t, `INSERT INTO step_characteristics (`+setColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		set.ID, set.StepID, set.Revision, string(characteristics), set.ChangedBy, int64(set.ChangedAt)); err != nil {
		return err
	}
	args := make([]any, 0, 2*len(set.Characteristics))
	for i := range set.Characteristics {
		args = append(args, set.Characteristics[i].ID, set.ID)
	}
	return db.InsertAll(t, `INSERT INTO characteristic (id, set_id) VALUES`, 2, args,
		` ON CONFLICT (id) DO UPDATE SET set_id = excluded.set_id`)
}

func (t characteristics) SetWith(characteristicID string) (card.CharacteristicSet, error) {
	return db.One(t, ScanSet, `SELECT s.id, s.step_id, s.revision, s.characteristics, s.changed_by, s.changed_at FROM characteristic c
		JOIN step_characteristics s ON s.id = c.set_id WHERE c.id = $1`, characteristicID)
}

func (t characteristics) AllCharacteristics() iter.Seq2[card.CharacteristicSet, error] {
	type set = db.Listed[card.CharacteristicSet]
	return db.Readable(t.Core, db.Pages(func(last set, _ bool, limit int) ([]set, bool, error) {
		return db.Page(t, db.Lenient(ScanSet), `SELECT `+setColumns+` FROM step_characteristics WHERE id > $1 ORDER BY id LIMIT $2`,
			last.Record.ID, limit)
	}))
}
