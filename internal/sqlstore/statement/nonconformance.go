package statement

import (
	"fmt"
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type nonconformances struct{ *db.Core }

const (
	reportColumns = `number, title, description, severity, step_id, opened_by, opened_at, closed_by, closed_at, summary`
	unitColumns   = `nonconformance_number, serial_number, found_at, disposition, decided_by, decided_at, reason, concession`
)

func scanReport(r db.Rows) (n shop.Nonconformance, err error) {
	var number int64
	err = r.Scan(&number, &n.Title, &n.Description, &n.Severity, &n.StepID, &n.OpenedBy, &n.OpenedAt, &n.ClosedBy,
		&n.ClosedAt, &n.Summary)
	n.ID, n.Status = shop.NonconformanceID(number), shop.ReportOpen
	if n.ClosedAt != 0 {
		n.Status = shop.ReportClosed
	}
	return n, err
}

func scanUnit(prefix ident.Prefix, r db.Rows) (u shop.NonconformingUnit, err error) {
	_, u, err = scanUnitOn(prefix, r)
	return u, err
}

func scanUnitOn(prefix ident.Prefix, r db.Rows) (report int64, u shop.NonconformingUnit, err error) {
	var serial, foundAt int64
	err = r.Scan(&report, &serial, &foundAt, &u.Disposition, &u.DecidedBy, &u.DecidedAt, &u.Reason, &u.Concession)
	u.SerialID, u.FoundAt = prefix.SerialID(serial), int(foundAt)
	return report, u, err
}

func (t nonconformances) TakeNonconformanceNumber() (int64, error) {
	return db.One(t, db.Scalar[int64], `UPDATE counter SET value = value + 1 WHERE name = 'nonconformance' RETURNING value`)
}

func (t nonconformances) InsertNonconformance(n shop.Nonconformance) error {
	if n.StepID != "" {
		if err := lockStep(t.Core, n.StepID); err != nil {
			return err
		}
	}
	number, _ := shop.ParseNonconformanceID(n.ID)
	return db.Run(t, `INSERT INTO nonconformance (`+reportColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		number, n.Title, n.Description, string(n.Severity), n.StepID, n.OpenedBy, int64(n.OpenedAt), n.ClosedBy, int64(n.ClosedAt),
		n.Summary)
}

func (t nonconformances) InsertNonconformingUnits(id string, units []shop.NonconformingUnit) error {
	const width = 8
	report, _ := shop.ParseNonconformanceID(id)
	args := make([]any, 0, width*len(units))
	for _, u := range units {
		number, _ := t.Prefix.ParseSerialID(u.SerialID)
		args = append(args, report, number, int64(u.FoundAt), string(u.Disposition), u.DecidedBy, int64(u.DecidedAt), u.Reason,
			u.Concession)
	}
	return db.InsertAll(t, `INSERT INTO nonconforming_unit (`+unitColumns+`) VALUES`, width, args, "")
}

func (t nonconformances) Nonconformance(id string) (shop.Nonconformance, error) {
	number, _ := shop.ParseNonconformanceID(id)
	report, err := db.One(t, scanReport, `SELECT `+reportColumns+` FROM nonconformance WHERE number = $1`+t.Lock, number)
	if err != nil {
		return report, err
	}
	report.Units, err = db.All(t, db.Named(t.Prefix, scanUnit),
		`SELECT `+unitColumns+` FROM nonconforming_unit WHERE nonconformance_number = $1
		ORDER BY serial_number`, number)
	return report, err
}

func (t nonconformances) UnitOnReports(serialID string) (map[string]shop.NonconformingUnit, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	units := map[string]shop.NonconformingUnit{}
	_, err := db.All(t, func(r db.Rows) (none struct{}, err error) {
		report, unit, err := scanUnitOn(t.Prefix, r)
		units[shop.NonconformanceID(report)] = unit
		return none, err
	}, `SELECT `+unitColumns+` FROM nonconforming_unit WHERE serial_number = $1`, number)
	return units, err
}

func (t nonconformances) DisposeUnits(id string, serialIDs []string, decided shop.NonconformingUnit) error {
	report, _ := shop.ParseNonconformanceID(id)
	for chunk := range db.Chunks(numbersOf(t.Prefix, serialIDs)) {
		placeholders, args := db.InList(7, chunk)
		if err := db.Run(t, `UPDATE nonconforming_unit SET disposition = $2, decided_by = $3, decided_at = $4, reason = $5, concession = $6
			WHERE nonconformance_number = $1 AND serial_number IN (`+placeholders+`)`, append([]any{report, string(decided.Disposition),
			decided.DecidedBy, int64(decided.DecidedAt), decided.Reason, decided.Concession}, args...)...); err != nil {
			return err
		}
	}
	return nil
}

func (t nonconformances) CloseNonconformance(n shop.Nonconformance) error {
	number, _ := shop.ParseNonconformanceID(n.ID)
	return db.ExpectOne(t, `UPDATE nonconformance SET closed_by = $2, closed_at = $3, summary = $4 WHERE number = $1`,
		number, n.ClosedBy, int64(n.ClosedAt), n.Summary)
}

func (t nonconformances) Nonconformances(query shop.NonconformanceQuery) ([]shop.Nonconformance, error) {
	var c db.Conditions
	c.AddBefore(query.Before, shop.ParseNonconformanceID)
	NarrowReports(t.Prefix, &c, query)
	return db.All(t, scanReport, `SELECT `+reportColumns+` FROM nonconformance`+c.Where()+
		fmt.Sprintf(` ORDER BY number DESC LIMIT $%d`, len(c.Args)+1), append(c.Args, query.Limit)...)
}

// NarrowReports adds the conditions of a query, except for the cursor. The condition for open reports is literal and not an argument,
// because SQLite finds a partial index by the text of the statement.
func NarrowReports(prefix ident.Prefix, c *db.Conditions, query shop.NonconformanceQuery) {
	switch query.Status {
	case shop.ReportOpen:
		c.Add(`closed_at = 0`)
	case shop.ReportClosed:
		c.Add(`closed_at <> 0`)
	}
	if query.SerialID != "" {
		number, _ := prefix.ParseSerialID(query.SerialID)
		c.Add(`number IN (SELECT nonconformance_number FROM nonconforming_unit WHERE serial_number = ?)`, number)
	}
	if query.JobID != "" {
		c.Add(`EXISTS (SELECT 1 FROM nonconforming_unit u
			JOIN serial s ON s.number = u.serial_number JOIN path p ON p.id = s.path_id
			WHERE u.nonconformance_number = nonconformance.number AND p.job_id = ?)`, query.JobID)
	}
}

func (t nonconformances) UnitStandings(id string) ([]shop.UnitStanding, error) {
	report, _ := shop.ParseNonconformanceID(id)
	return db.All(t, func(r db.Rows) (u shop.UnitStanding, err error) {
		var number int64
		err = r.Scan(&number, &u.PathID, &u.Status, &u.Position)
		u.SerialID = t.Prefix.SerialID(number)
		return u, err
	}, `SELECT u.serial_number, s.path_id, s.status, s.position
		FROM nonconforming_unit u JOIN serial s ON s.number = u.serial_number
		WHERE u.nonconformance_number = $1 ORDER BY u.serial_number`, report)
}

func (t nonconformances) UnitFigures(ids []string) (map[string]shop.UnitFigures, error) {
	figures := make(map[string]shop.UnitFigures, len(ids))
	numbers := make([]int64, len(ids))
	for i, id := range ids {
		numbers[i], _ = shop.ParseNonconformanceID(id)
	}
	conditional := []string{""} // the dispositions, including none, for which a unit's status must be looked up
	for _, disposition := range shop.Dispositions() {
		if disposition.Conditional() {
			conditional = append(conditional, string(disposition))
		}
	}
	dispositions, first := db.InList(1, conditional)
	for chunk := range db.Chunks(numbers) {
		reports, args := db.InList(len(first)+1, chunk)
		if _, err := db.All(t, func(r db.Rows) (none struct{}, err error) {
			var number int64
			var unit shop.NonconformingUnit
			var status card.SerialStatus
			var count int
			if err := r.Scan(&number, &unit.Disposition, &status, &count); err != nil {
				return none, err
			}
			id := shop.NonconformanceID(number)
			f := figures[id]
			f.Units += count
			if unit.Decided(status) {
				f.Decided += count
			} else if unit.Waits(status) {
				f.Waiting += count
			}
			figures[id] = f
			return none, nil
		}, `SELECT nonconformance_number, disposition, CASE WHEN disposition IN (`+dispositions+`)
				THEN (SELECT s.status FROM serial s WHERE s.number = serial_number) ELSE '' END, COUNT(*)
			FROM nonconforming_unit WHERE nonconformance_number IN (`+reports+`)
			GROUP BY 1, 2, 3`, slices.Concat(first, args)...); err != nil {
			return nil, err
		}
	}
	return figures, nil
}
