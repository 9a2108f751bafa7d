package statement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
)

type genealogies struct{ *db.Core }

// Statements over installations are recursive with UNION, so that they end even if rows form a circle. CROSS JOIN makes SQLite start with
// the rows that were already found. The conditions <> 0 and <> '' are those of the partial indexes.

// insideAt is the condition for an installation c that counts at the time $2.
const insideAt = `c.voided_at = 0 AND c.installed_at <= $2 AND (c.removed_at = 0 OR c.removed_at > $2)`

// momentOf returns a time. For 0, which means now, it returns a time later than every installation.
func momentOf(at ident.Timestamp) int64 {
	if at == 0 {
		at = genealogy.LastTime
	}
	return int64(at)
}

func scanPart(prefix ident.Prefix, r db.Rows) (p genealogy.Part, err error) {
	p.Component, err = scanComponent(prefix, db.Widened{Rows: r, Behind: []any{&p.LotNumber, &p.Material, &p.HeatNumber}})
	return p, err
}

func (t genealogies) PartsWithin(serialID string, at ident.Timestamp) ([]genealogy.Part, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, db.Named(t.Prefix, scanPart), `WITH RECURSIVE below (unit) AS (
			SELECT CAST($1 AS BIGINT)
			UNION
			SELECT c.component_number FROM below CROSS JOIN component c
				WHERE c.serial_number = below.unit AND c.component_number <> 0 AND `+insideAt+`
		) SELECT c.id, serial_number, component_number, lot_id, c.quantity, c.unit, part_type, c.part, part_serial_number, place,
			substitute_reason, step_id, pass, installed_by, installed_at, removed_by, removed_at, remove_reason, returned, c.voided_at,
			c.voided_by, c.void_reason, COALESCE(l.lot_number, ''), COALESCE(l.material, ''), COALESCE(l.heat_number, '')
		FROM below CROSS JOIN component c LEFT JOIN lot l ON l.id = c.lot_id WHERE c.serial_number = below.unit AND `+insideAt,
		number, momentOf(at))
}

func scanLink(prefix ident.Prefix, r db.Rows) (l genealogy.Link, err error) {
	var parent, number int64
	err = r.Scan(&parent, &number, &l.LotID)
	if parent != 0 {
		l.ParentID = prefix.SerialID(parent)
	}
	if number != 0 {
		l.SerialID = prefix.SerialID(number)
	}
	return l, err
}

func (t genealogies) LinksFrom(serialID, lotID string, at ident.Timestamp) ([]genealogy.Link, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	const (
		ofLots  = ` FROM line CROSS JOIN component c WHERE c.lot_id = line.id AND c.lot_id <> '' AND ` + insideAt
		ofUnits = ` FROM above CROSS JOIN component c WHERE c.component_number = above.number AND c.component_number <> 0 AND ` + insideAt
	)
	return db.All(t, db.Named(t.Prefix, scanLink), `WITH RECURSIVE line (id) AS (
			SELECT id FROM lot WHERE id = $3 AND voided_at = 0
			UNION
			SELECT s.id FROM line CROSS JOIN lot s
				WHERE s.parent_id = line.id AND s.parent_id <> '' AND s.voided_at = 0 AND s.created_at <= $2
		), above (number) AS (
			SELECT CAST($1 AS BIGINT)
			UNION
			SELECT c.serial_number`+ofLots+`
			UNION
			SELECT c.serial_number`+ofUnits+`
		) SELECT 0, 0, id FROM line
		UNION ALL SELECT c.serial_number, 0, c.lot_id`+ofLots+`
		UNION ALL SELECT c.serial_number, c.component_number, ''`+ofUnits, number, momentOf(at), lotID)
}

// stand is the place of units on their path. The position is -1 for units that are not in progress.
type stand struct {
	pathID   string
	position int64
}

// UnitStates reads the steps and jobs with a statement of their own, because many units share them.
func (t genealogies) UnitStates(serialIDs []string) ([]genealogy.State, error) {
	placeholders, args := db.InList(1, numbersOf(t.Prefix, serialIDs))
	stands := make([]stand, 0, len(serialIDs))
	// Each row is scanned into the texts of the row before. A text that is the same is then not copied.
	var at stand
	var status string
	states, err := db.All(t, func(r db.Rows) (s genealogy.State, err error) {
		var number, inside, held int64
		err = r.Scan(&number, &status, &at.pathID, &at.position, &inside, &held, &s.ShipmentID, &s.At.Supplier, &s.At.Customer)
		s.SerialID, s.Status, s.Held = t.Prefix.SerialID(number), card.SerialStatus(status), held != 0
		if inside != 0 {
			s.Inside = t.Prefix.SerialID(inside)
		}
		stands = append(stands, at)
		return s, err
	}, `SELECT s.number, s.status, s.path_id, CASE WHEN s.status = 'in_progress' THEN s.position ELSE -1 END, COALESCE(c.serial_number, 0),
			CASE WHEN EXISTS (SELECT 1 FROM hold h WHERE h.serial_number = s.number AND h.released_at = 0) THEN 1 ELSE 0 END,
			COALESCE(h.id, ''), COALESCE(h.supplier, ''), COALESCE(h.customer, '')
		FROM serial s LEFT JOIN component c ON c.component_number = s.number AND `+openUnit+`
		LEFT JOIN shipment_line l ON l.serial_number = s.number AND l.settled_at = 0 AND s.status <> 'scrapped'
		LEFT JOIN shipment h ON h.id = l.shipment_id WHERE s.number IN (`+placeholders+`)`, args...)
	if err != nil {
		return nil, err
	}
	return states, t.setStands(states, stands)
}

// setStands sets the steps and jobs of units. stands has the stand of each unit.
func (t genealogies) setStands(states []genealogy.State, stands []stand) error {
	type place struct{ stepID, step, customer, orderNumber string }
	places := map[stand]place{}
	var args []any
	for _, s := range stands {
		if _, known := places[s]; !known {
			places[s] = place{}
			args = append(args, s.pathID, s.position)
		}
	}
	args, count := pairsOf(args, "")
	if _, err := db.All(t, func(r db.Rows) (struct{}, error) {
		var s stand
		var p place
		err := r.Scan(&s.pathID, &s.position, &p.stepID, &p.step, &p.customer, &p.orderNumber)
		places[s] = p
		return struct{}{}, err
	}, `WITH stand (path_id, position) AS (VALUES `+pairs(count, 1, "TEXT")+`)
		SELECT stand.path_id, stand.position, COALESCE(t.id, ''), COALESCE(t.name, ''),
			COALESCE(j.customer, ''), COALESCE(j.order_number, '')
		FROM stand LEFT JOIN step t ON t.path_id = stand.path_id AND t.step_index = stand.position
		LEFT JOIN path p ON p.id = stand.path_id LEFT JOIN job j ON j.id = p.job_id`, args...); err != nil {
		return err
	}
	for i, s := range stands {
		p := places[s]
		states[i].At.StepID, states[i].At.Step, states[i].Customer, states[i].OrderNumber = p.stepID, p.step, p.customer, p.orderNumber
	}
	return nil
}

// pairs returns the rows of a VALUES list of pairs: a value of a type and a number. Their placeholders are numbered from first.
func pairs(count, first int, of string) string {
	rows := make([]string, count)
	for i := range rows {
		rows[i] = fmt.Sprintf(`(CAST($%d AS %s), CAST($%d AS BIGINT))`, first+2*i, of, first+2*i+1)
	}
	return strings.Join(rows, `, `)
}

// pairsOf fills up the arguments of pairs to one of db.ListSizes, so that a few statements serve every number of pairs. none is a value
// that no record has. It returns the number of pairs.
func pairsOf(args []any, none any) (filled []any, count int) {
	count = db.ListSizes[slices.IndexFunc(db.ListSizes[:], func(size int) bool { return 2*size >= len(args) })]
	for len(args) < 2*count {
		args = append(args, none, int64(0))
	}
	return args, count
}

func scanAffectedUnit(prefix ident.Prefix, r db.Rows) (a genealogy.Affected, err error) {
	var number int64
	err = r.Scan(&number, &a.Since)
	a.SerialID, a.How = prefix.SerialID(number), genealogy.HasCause
	return a, err
}

func scanAffectedLot(r db.Rows) (a genealogy.Affected, err error) {
	a.How = genealogy.HasCause
	err = r.Scan(&a.LotID, &a.Since)
	return a, err
}

func (t genealogies) CausesOf(query genealogy.Query) ([]genealogy.Affected, error) {
	switch {
	case query.LotID != "":
		return db.All(t, scanAffectedLot, `SELECT id, created_at FROM lot WHERE id = $1 AND voided_at = 0`, query.LotID)
	case query.HeatNumber != "":
		return db.All(t, scanAffectedLot, `SELECT id, created_at FROM lot WHERE lower(heat_number) = $1 AND voided_at = 0`,
			db.Lowered(query.HeatNumber))
	case query.SerialID != "":
		number, _ := t.Prefix.ParseSerialID(query.SerialID)
		return db.All(t, db.Named(t.Prefix, scanAffectedUnit), `SELECT number, created_at FROM serial WHERE number = $1`, number)
	case query.ShipmentID != "":
		return db.All(t, db.Named(t.Prefix, scanAffectedUnit), `SELECT l.serial_number, h.created_at FROM shipment h
			JOIN shipment_line l ON l.shipment_id = h.id WHERE h.id = $1`, query.ShipmentID)
	case query.InstrumentID != "":
		return db.All(t, db.Named(t.Prefix, scanAffectedUnit), `SELECT serial_number, MIN(`+measuredTime+`) FROM measurement
			WHERE instrument_id <> '' AND instrument_id = $1 AND `+measuredTime+` BETWEEN $2 AND $3 AND voided_at = 0
			GROUP BY serial_number`,
			query.InstrumentID, int64(query.From), int64(query.Until()))
	}
	lots, err := db.All(t, scanAffectedLot, `SELECT c.lot_id, c.attached_at FROM lot_certificate c JOIN lot l ON l.id = c.lot_id
		WHERE c.certificate_id = $1 AND l.voided_at = 0`, query.CertID)
	if err != nil {
		return nil, err
	}
	units, err := db.All(t, db.Named(t.Prefix, scanAffectedUnit), `SELECT serial_number, MIN(attached_at) FROM attachment
		WHERE certificate_id = $1 AND voided_at = 0 GROUP BY serial_number`, query.CertID)
	if err != nil {
		return nil, err
	}
	received, err := db.All(t, db.Named(t.Prefix, scanAffectedUnit), `SELECT l.serial_number, MIN(c.attached_at) FROM receipt_certificate c
		JOIN shipment_line l ON l.receipt_id = c.receipt_id AND l.receipt_id <> '' AND l.settled_at <> 0
		WHERE c.certificate_id = $1 GROUP BY l.serial_number`, query.CertID)
	return slices.Concat(lots, units, received), err
}

// UnitsHandledBy has a + before a column, so that SQLite reads the entries of the period and not those of all units.
func (t genealogies) UnitsHandledBy(query genealogy.Query, after int64) ([]genealogy.Affected, error) {
	return db.All(t, db.Named(t.Prefix, scanAffectedUnit), `SELECT serial_number, MIN(at) FROM audit
		WHERE sequence > $1 AND at BETWEEN $2 AND $3 AND user_id = $4 AND +serial_number <> 0 GROUP BY serial_number`,
		after, int64(query.From), int64(query.Until()), query.By)
}

// laterThan returns the later of two times.
func laterThan(first, second string) string {
	return `CASE WHEN ` + first + ` > ` + second + ` THEN ` + first + ` ELSE ` + second + ` END`
}

// affectedBy returns the statement that finds what causes affect. Its arguments are the causes: lots with times, then units with times. The
// recursion begins above the units that are direct, because most units are not inside another one, and a row of a recursion takes several
// times as long as another row.
func affectedBy(lots, units int, now bool) string {
	// containing selects the units that contained something of a list while it was affected.
	containing := func(from, of string) string {
		inside := `c.removed_at = 0`
		if !now {
			inside = `(c.removed_at = 0 OR c.removed_at >= ` + from + `.since)`
		}
		return `SELECT c.serial_number, ` + laterThan(`c.installed_at`, from+`.since`) + `, 2 FROM ` + from + ` CROSS JOIN component c
				WHERE ` + of + ` AND c.voided_at = 0 AND ` + inside
	}
	ofUnits := func(from string) string {
		return containing(from, `c.component_number = `+from+`.number AND c.component_number <> 0`)
	}
	return `WITH RECURSIVE cause (id, since) AS (VALUES ` + pairs(lots, 1, "TEXT") + `),
		unit (number, since) AS (VALUES ` + pairs(units, 1+2*lots, "BIGINT") + `),
		line (id, since, how) AS (
			SELECT l.id, cause.since, 0 FROM cause CROSS JOIN lot l WHERE l.id = cause.id AND l.voided_at = 0
			UNION
			SELECT s.id, ` + laterThan(`s.created_at`, `line.since`) + `, 1 FROM line CROSS JOIN lot s
				WHERE s.parent_id = line.id AND s.parent_id <> '' AND s.voided_at = 0
		), direct (number, since, how) AS (
			SELECT number, since, 0 FROM unit WHERE number <> 0
			UNION ALL
			` + containing(`line`, `c.lot_id = line.id AND c.lot_id <> ''`) + `
		), above (number, since, how) AS (
			` + ofUnits(`direct`) + `
			UNION
			` + ofUnits(`above`) + `
		) SELECT 0, id, since, how FROM line
		UNION ALL SELECT number, '', since, how FROM direct
		UNION ALL SELECT number, '', since, how FROM above`
}

// causesAtOnce is the maximum number of causes in one statement. A longer list is processed in parts.
const causesAtOnce = 500

func (t genealogies) AffectedBy(causes []genealogy.Affected, now bool) ([]genealogy.Affected, error) {
	ways := []genealogy.How{genealogy.HasCause, genealogy.SplitFrom, genealogy.ContainedOne}
	scan := func(r db.Rows) (a genealogy.Affected, err error) {
		var number, how int64
		err = r.Scan(&number, &a.LotID, &a.Since, &how)
		if number != 0 {
			a.SerialID = t.Prefix.SerialID(number)
		}
		a.How = ways[how]
		return a, err
	}
	var all []genealogy.Affected
	for chunk := range slices.Chunk(causes, causesAtOnce) {
		var lots, units []any
		for i := range chunk {
			if chunk[i].LotID != "" {
				lots = append(lots, chunk[i].LotID, int64(chunk[i].Since))
			} else {
				number, _ := t.Prefix.ParseSerialID(chunk[i].SerialID)
				units = append(units, number, int64(chunk[i].Since))
			}
		}
		lots, ofLots := pairsOf(lots, "")
		units, ofUnits := pairsOf(units, int64(0))
		found, err := db.All(t, scan, affectedBy(ofLots, ofUnits, now), append(lots, units...)...)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return genealogy.Earliest(all), nil
}
