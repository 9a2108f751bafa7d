package statement

import (
	"encoding/json"
	"errors"
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type baselines struct{ *db.Core }

const baselineColumns = `id, characteristic_id, step_id, from_time, to_time, subgroup, rules, readings, first_reading, last_reading,
	limits, spread, reason, frozen_by, frozen_at`

const selectBaselines = `SELECT ` + baselineColumns + ` FROM baseline`

func scanBaseline(r db.Rows) (b shop.Baseline, err error) {
	var limits, spread string
	if err := r.Scan(&b.ID, &b.CharacteristicID, &b.StepID, &b.From, &b.To, &b.Subgroup, &b.Rules, &b.N, &b.FirstReadingID,
		&b.LastReadingID, &limits, &spread, &b.Reason, &b.FrozenBy, &b.FrozenAt); err != nil {
		return b, err
	}
	if wrong := errors.Join(json.Unmarshal([]byte(limits), &b.Limits), json.Unmarshal([]byte(spread), &b.Spread)); wrong != nil {
		err = &shop.UnreadableError{Table: "baseline", ID: b.ID, Err: wrong}
	}
	return b, err
}

func (t baselines) InsertBaseline(b shop.Baseline) error {
	limits, err := json.Marshal(b.Limits)
	if err != nil {
		return err
	}
	spread, err := json.Marshal(b.Spread)
	if err != nil {
		return err
	}
	return db.Run(t, `INSERT INTO baseline (`+baselineColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		b.ID, b.CharacteristicID, b.StepID, int64(b.From), int64(b.To), b.Subgroup, string(b.Rules), b.N, b.FirstReadingID,
		b.LastReadingID, string(limits), string(spread), b.Reason, b.FrozenBy, int64(b.FrozenAt))
}

func (t baselines) BaselinesOf(characteristicID string) ([]shop.Baseline, error) {
	return db.All(t, scanBaseline, selectBaselines+` WHERE characteristic_id = $1 ORDER BY id`, characteristicID)
}

func (t baselines) AllBaselines() iter.Seq2[shop.Baseline, error] {
	return db.Readable(t.Core, db.Pages(func(last db.Listed[shop.Baseline], _ bool, limit int) ([]db.Listed[shop.Baseline], bool, error) {
		return db.Page(t, db.Lenient(scanBaseline), selectBaselines+` WHERE id > $1 ORDER BY id LIMIT $2`, last.Record.ID, limit)
	}))
}
