package statement

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type overrides struct{ *db.Core }

const overrideColumns = `id, serial_number, step_id, active, reason, created_by, created_at, reversed_at`

func scanOverride(prefix ident.Prefix, r db.Rows) (o card.Override, err error) {
	var number int64
	err = r.Scan(&o.ID, &number, &o.StepID, &o.Active, &o.Reason, &o.CreatedBy, &o.CreatedAt, &o.ReversedAt)
	o.SerialID = prefix.SerialID(number)
	return o, err
}

func (t overrides) InsertOverrides(overrides []card.Override) error {
	const width = 8
	args := make([]any, 0, width*len(overrides))
	for _, o := range overrides {
		number, _ := t.Prefix.ParseSerialID(o.SerialID)
		args = append(args, o.ID, number, o.StepID, o.Active, o.Reason, o.CreatedBy, int64(o.CreatedAt), int64(o.ReversedAt))
	}
	return db.InsertAll(t, `INSERT INTO step_override (`+overrideColumns+`) VALUES`, width, args, "")
}

func (t overrides) OverridesOfSerial(serialID string) ([]card.Override, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, db.Named(t.Prefix, scanOverride),
		`SELECT `+overrideColumns+` FROM step_override WHERE serial_number = $1 ORDER BY id`, number)
}
