package statement

import (
	"iter"
	"maps"
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type sampling struct{ *db.Core }

// insertArrivals begins a statement that counts units at the step $1. The caller appends the order. The caller has locked the step, so that
// no two units get the same ordinal.
const insertArrivals = `INSERT INTO arrival (step_id, serial_number, ordinal)
	SELECT CAST($1 AS text), s.number, COALESCE((SELECT MAX(ordinal) FROM arrival WHERE step_id = $1), 0) + ROW_NUMBER() OVER (ORDER BY `

// notCounted is a condition for the units that are not counted at the step $1.
const notCounted = ` AND NOT EXISTS (SELECT 1 FROM arrival a WHERE a.step_id = $1 AND a.serial_number = s.number)`

func (t sampling) CountBatch(stepID string, batch shop.SerialBatch) error {
	if err := lockStep(t.Core, stepID); err != nil {
		return err
	}
	return db.Run(t, insertArrivals+`s.number) FROM serial s WHERE s.number BETWEEN $2 AND $3`+notCounted,
		stepID, batch.First, batch.First+batch.Quantity-1)
}

func (t sampling) CountStandingAt(stepID string) error {
	if err := lockStep(t.Core, stepID); err != nil {
		return err
	}
	return db.Run(t, insertArrivals+`s.updated_at, s.number) FROM serial s WHERE s.number IN (
		SELECT u.number FROM serial u WHERE u.status = 'in_progress' AND u.path_id = (SELECT path_id FROM step WHERE id = $1)
			AND u.position = (SELECT step_index FROM step WHERE id = $1)
		UNION SELECT e.serial_number FROM step_exception e WHERE e.step_id = $1 AND e.status = 'deferred')`+notCounted, stepID)
}

// Arrivals has the units that changes count, by step.
type Arrivals map[string][]int64

// Add adds a unit that a change counts.
func (a Arrivals) Add(number int64, change *card.Change) {
	for _, stepID := range change.Arrived {
		a[stepID] = append(a[stepID], number)
	}
}

// Statements returns the statements that count the units, in the order of their numbers.
func (a Arrivals) Statements() (statements []db.Statement) {
	for _, stepID := range slices.Sorted(maps.Keys(a)) {
		for chunk := range db.Chunks(a[stepID]) {
			placeholders, args := db.InList(2, chunk)
			statements = append(statements, db.Statement{
				SQL:  insertArrivals + `s.number) FROM serial s WHERE s.number IN (` + placeholders + `)` + notCounted,
				Args: append([]any{stepID}, args...),
			})
		}
	}
	return statements
}

// countArrivals counts the units of changes.
func countArrivals(t *db.Core, a Arrivals) error {
	for _, stepID := range slices.Sorted(maps.Keys(a)) {
		if err := lockStep(t, stepID); err != nil {
			return err
		}
	}
	return db.Pipelined(t.Querier, a.Statements()...)
}

func (t sampling) SetFirstPiece(stepID, serialID string) error {
	if err := db.Run(t, `UPDATE arrival SET accepted = 0 WHERE step_id = $1 AND accepted = 1`, stepID); err != nil || serialID == "" {
		return err
	}
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.ExpectOne(t, `UPDATE arrival SET accepted = 1 WHERE step_id = $1 AND serial_number = $2`, stepID, number)
}

// firstStanding is the lowest ordinal at a step among the units that are there now.
const firstStanding = `SELECT f.ordinal FROM arrival f
	JOIN step p ON p.id = f.step_id
	JOIN serial u ON u.number = f.serial_number AND u.path_id = p.path_id AND u.position = p.step_index AND u.status = 'in_progress'
	WHERE f.step_id = $1 ORDER BY f.ordinal LIMIT 1`

type arrivalRow struct {
	number  int64
	stepID  string
	ordinal int64
}

func scanArrival(r db.Rows) (row arrivalRow, err error) {
	err = r.Scan(&row.number, &row.stepID, &row.ordinal)
	return row, err
}

func (t sampling) CountedUnits() iter.Seq2[shop.CountedUnit, error] {
	scan := func(r db.Rows) (shop.CountedUnit, error) {
		row, err := scanArrival(r)
		return shop.CountedUnit{StepID: row.stepID, SerialID: t.Prefix.SerialID(row.number), Ordinal: row.ordinal}, err
	}
	return db.Pages(func(last shop.CountedUnit, _ bool, limit int) ([]shop.CountedUnit, bool, error) {
		return db.Page(t, scan, `SELECT serial_number, step_id, ordinal FROM arrival WHERE (step_id, ordinal) > ($1, $2)
			ORDER BY step_id, ordinal LIMIT $3`, last.StepID, last.Ordinal, limit)
	})
}

type concessionRow struct {
	number     int64
	concession card.Concession
}

func scanConcession(r db.Rows) (row concessionRow, err error) {
	err = r.Scan(&row.number, &row.concession.FoundAt, &row.concession.DecidedAt)
	return row, err
}

// addMeasured adds the parts of cards that only paths with characteristics have. Other paths need no statement.
func addMeasured(t *db.Core, cards map[string]card.Card) error {
	var numbers []int64
	first := map[string]*[]int64{} // by step that waits for a first piece: the ordinal of the first unit there
	for id := range cards {
		card := cards[id]
		if len(card.Path.Characteristics) == 0 {
			continue
		}
		number, _ := t.Prefix.ParseSerialID(id)
		numbers = append(numbers, number)
		for stepID := range card.Path.Characteristics {
			if card.Path.WaitsForFirstPiece(stepID) {
				first[stepID] = &[]int64{}
			}
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	slices.Sort(numbers)
	var readings []card.Measurement
	var concessions []concessionRow
	var counted []arrivalRow
	var statements []db.Statement
	for chunk := range db.Chunks(numbers) {
		placeholders, args := db.InList(1, chunk)
		statements = append(statements,
			db.Statement{
				SQL:  selectMeasurements + ` WHERE serial_number IN (` + placeholders + `) AND voided_at = 0 ORDER BY serial_number, id`,
				Args: args, Row: db.Into(&readings, db.Named(t.Prefix, scanMeasurement)),
			},
			db.Statement{SQL: `SELECT serial_number, found_at, decided_at FROM nonconforming_unit
				WHERE serial_number IN (` + placeholders + `) AND disposition = 'use_as_is'`,
				Args: args, Row: db.Into(&concessions, scanConcession)},
			db.Statement{SQL: `SELECT serial_number, step_id, ordinal FROM arrival WHERE serial_number IN (` + placeholders + `)`,
				Args: args, Row: db.Into(&counted, scanArrival)})
	}
	for _, stepID := range slices.Sorted(maps.Keys(first)) {
		statements = append(statements, db.Statement{
			SQL: firstStanding, Args: []any{stepID}, Row: db.Into(first[stepID], db.Scalar[int64]),
		})
	}
	if err := db.Pipelined(t.Querier, statements...); err != nil {
		return err
	}
	addReadings(t.Prefix, cards, readings, concessions, counted)
	standInLine(cards, first)
	return nil
}

func addReadings(
	prefix ident.Prefix, cards map[string]card.Card, readings []card.Measurement, concessions []concessionRow, counted []arrivalRow,
) {
	for i := range readings {
		card := cards[readings[i].SerialID]
		card.Readings = append(card.Readings, readings[i])
		cards[readings[i].SerialID] = card
	}
	for _, row := range concessions {
		id := prefix.SerialID(row.number)
		card := cards[id]
		card.Concessions = append(card.Concessions, row.concession)
		cards[id] = card
	}
	for _, row := range counted {
		id := prefix.SerialID(row.number)
		unit := cards[id]
		if unit.Arrivals == nil {
			unit.Arrivals = map[string]card.Arrival{}
			cards[id] = unit
		}
		unit.Arrivals[row.stepID] = card.Arrival{Ordinal: row.ordinal}
	}
}

// standInLine sets, for each card, the steps at which a first piece is awaited and another unit comes first.
func standInLine(cards map[string]card.Card, first map[string]*[]int64) {
	for id := range cards {
		unit := cards[id]
		for stepID := range unit.Path.Characteristics {
			standing := first[stepID]
			if standing == nil || len(*standing) == 0 || !unit.Path.WaitsForFirstPiece(stepID) {
				continue
			}
			arrival := unit.Arrivals[stepID]
			arrival.Behind = arrival.Ordinal == 0 || arrival.Ordinal > (*standing)[0]
			if unit.Arrivals == nil {
				unit.Arrivals = map[string]card.Arrival{}
				cards[id] = unit
			}
			unit.Arrivals[stepID] = arrival
		}
	}
}
