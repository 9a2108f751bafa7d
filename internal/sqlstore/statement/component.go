package statement

import (
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type components struct{ *db.Core }

const (
	componentColumns = `id, serial_number, component_number, lot_id, quantity, unit, part_type, part, part_serial_number, place,
		substitute_reason, step_id, pass, installed_by, installed_at`
	componentRead = componentColumns + `, removed_by, removed_at, remove_reason, returned, voided_at, voided_by, void_reason`

	selectComponents = `SELECT ` + componentRead + ` FROM component`

	// openComponent and openUnit are conditions of the partial indexes for open rows, written literally. openUnit uses the alias c.
	openComponent = `removed_at = 0 AND voided_at = 0`
	openUnit      = `c.component_number <> 0 AND c.removed_at = 0 AND c.voided_at = 0`
)

func scanComponent(prefix ident.Prefix, r db.Rows) (c card.Component, err error) {
	var number, inside, returned int64
	var part string
	err = r.Scan(&c.ID, &number, &inside, &c.LotID, &c.Quantity, &c.Unit, &c.PartType, &part, &c.PartSerialNumber, &c.Place,
		&c.SubstituteReason, &c.StepID, &c.Pass, &c.InstalledBy, &c.InstalledAt,
		&c.RemovedBy, &c.RemovedAt, &c.RemoveReason, &returned, &c.VoidedAt, &c.VoidedBy, &c.VoidReason)
	c.SerialID, c.Returned = prefix.SerialID(number), returned != 0
	if inside != 0 {
		c.ComponentSerialID = prefix.SerialID(inside)
	}
	return c, err
}

func (t components) InsertComponents(made []card.Component, part string) error {
	const width = 15
	args := make([]any, 0, width*len(made))
	for i := range made {
		c := &made[i]
		number, _ := t.Prefix.ParseSerialID(c.SerialID)
		inside, _ := t.Prefix.ParseSerialID(c.ComponentSerialID)
		args = append(args, c.ID, number, inside, c.LotID, string(c.Quantity), c.Unit, c.PartType, part, c.PartSerialNumber, c.Place,
			c.SubstituteReason, c.StepID, c.Pass, c.InstalledBy, int64(c.InstalledAt))
	}
	stored := int64(0)
	for _, insert := range db.Inserts(`INSERT INTO component (`+componentColumns+`) VALUES`, width, args, ` ON CONFLICT DO NOTHING`) {
		n, err := db.Affecting(t, insert.SQL, insert.Args...)
		if err != nil {
			return err
		}
		stored += n
	}
	if stored < int64(len(made)) {
		return shop.ErrDuplicate
	}
	return nil
}

func (t components) Component(id string) (card.Component, error) {
	return db.One(t, db.Named(t.Prefix, scanComponent), selectComponents+` WHERE id = $1`, id)
}

func (t components) ComponentsOfSerial(serialID string) ([]card.Component, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, db.Named(t.Prefix, scanComponent), selectComponents+` WHERE serial_number = $1 ORDER BY id`, number)
}

func (t components) AllComponents() iter.Seq2[card.Component, error] {
	return db.Pages(func(last card.Component, _ bool, limit int) ([]card.Component, bool, error) {
		return db.Page(t, db.Named(t.Prefix, scanComponent), selectComponents+` WHERE id > $1 ORDER BY id LIMIT $2`, last.ID, limit)
	})
}

func (t components) ComponentsOfLot(lotID string, limit int) ([]card.Component, error) {
	return db.All(t, db.Named(t.Prefix, scanComponent),
		selectComponents+` WHERE lot_id = $1 AND lot_id <> '' ORDER BY id DESC LIMIT $2`, lotID, limit)
}

func (t components) ComponentNumbered(part, partSerialNumber string) (card.Component, error) {
	return db.One(t, db.Named(t.Prefix, scanComponent),
		selectComponents+` WHERE part = $1 AND part_serial_number = $2 AND part_serial_number <> '' AND `+
			openComponent, part, partSerialNumber)
}

func (t components) CountOpenComponents(serialIDs []string) (map[string]int, error) {
	numbers := make([]int64, len(serialIDs))
	for i, id := range serialIDs {
		numbers[i], _ = t.Prefix.ParseSerialID(id)
	}
	type inside struct {
		unit  string
		count int
	}
	scan := func(r db.Rows) (i inside, err error) {
		var number int64
		err = r.Scan(&number, &i.count)
		i.unit = t.Prefix.SerialID(number)
		return i, err
	}
	open := map[string]int{}
	for chunk := range db.Chunks(numbers) {
		condition, args := among(1, chunk)
		found, err := db.All(t, scan, `SELECT serial_number, COUNT(*) FROM component WHERE serial_number `+condition+` AND `+openComponent+
			` GROUP BY serial_number`, args...)
		if err != nil {
			return nil, err
		}
		for _, i := range found {
			open[i.unit] = i.count
		}
	}
	return open, nil
}

func (t components) RemoveComponent(c card.Component) error {
	return db.ExpectOne(t, `UPDATE component SET removed_by = $2, removed_at = $3, remove_reason = $4, returned = $5
		WHERE id = $1 AND `+openComponent, c.ID, c.RemovedBy, int64(c.RemovedAt), c.RemoveReason, numberOf(c.Returned))
}

func (t components) VoidComponent(id string, v card.Voiding) error {
	return db.ExpectOne(t, `UPDATE component SET voided_at = $2, voided_by = $3, void_reason = $4 WHERE id = $1 AND voided_at = 0`,
		id, int64(v.VoidedAt), v.VoidedBy, v.VoidReason)
}

// UnitsAbove first locks a name, because the result depends on rows of units that the transaction has not locked.
func (t components) UnitsAbove(serialID string) ([]string, error) {
	if err := t.LockAbsent("components above a unit"); err != nil {
		return nil, err
	}
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, func(r db.Rows) (string, error) {
		above, err := db.Scalar[int64](r)
		return t.Prefix.SerialID(above), err
	}, `WITH RECURSIVE above (number) AS (
			SELECT c.serial_number FROM component c WHERE c.component_number = $1 AND `+openUnit+`
			UNION
			SELECT c.serial_number FROM above a JOIN component c ON c.component_number = a.number AND `+openUnit+`
		) SELECT number FROM above ORDER BY number`, number)
}
