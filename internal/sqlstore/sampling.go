package sqlstore

import (
	"iter"
	"maps"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// insertArrivals begins a statement that counts units at the step $1, in an order that ends it. Whoever runs it has locked the step,
// so that no two units get the same place.
const insertArrivals = `INSERT INTO arrival (step_id, serial_number, ordinal)
	SELECT CAST($1 AS text), s.number, COALESCE((SELECT MAX(ordinal) FROM arrival WHERE step_id = $1), 0) + ROW_NUMBER() OVER (ORDER BY `

// notCounted is a condition of the units that are not counted at the step $1.
const notCounted = ` AND NOT EXISTS (SELECT 1 FROM arrival a WHERE a.step_id = $1 AND a.serial_number = s.number)`

func (t *transaction) CountBatch(stepID string, batch shop.SerialBatch) error {
	if err := t.lockStep(stepID); err != nil {
		return err
	}
	return run(t, insertArrivals+`s.number) FROM serial s WHERE s.number BETWEEN $2 AND $3`+notCounted,
		stepID, batch.First, batch.First+batch.Quantity-1)
}

func (t *transaction) CountStandingAt(stepID string) error {
	if err := t.lockStep(stepID); err != nil {
		return err
	}
	return run(t, insertArrivals+`s.updated_at, s.number) FROM serial s WHERE s.number IN (
		SELECT u.number FROM serial u WHERE u.status = 'in_progress' AND u.path_id = (SELECT path_id FROM step WHERE id = $1)
			AND u.position = (SELECT step_index FROM step WHERE id = $1)
		UNION SELECT e.serial_number FROM step_exception e WHERE e.step_id = $1 AND e.status = 'deferred')`+notCounted, stepID)
}

// arrivals are the units that changes count, by step.
type arrivals map[string][]int64

func (a arrivals) add(number int64, change *card.Change) {
	for _, stepID := range change.Arrived {
		a[stepID] = append(a[stepID], number)
	}
}

// statements count the units, in the order of their numbers.
func (a arrivals) statements() (statements []statement) {
	for _, stepID := range slices.Sorted(maps.Keys(a)) {
		for chunk := range chunks(a[stepID]) {
			placeholders, args := inList(2, chunk)
			statements = append(statements, statement{
				sql:  insertArrivals + `s.number) FROM serial s WHERE s.number IN (` + placeholders + `)` + notCounted,
				args: append([]any{stepID}, args...),
			})
		}
	}
	return statements
}

// count counts the units of changes.
func (t *transaction) count(a arrivals) error {
	for _, stepID := range slices.Sorted(maps.Keys(a)) {
		if err := t.lockStep(stepID); err != nil {
			return err
		}
	}
	return pipelined(t.querier, a.statements()...)
}

func (t *transaction) SetFirstPiece(stepID, serialID string) error {
	if err := run(t, `UPDATE arrival SET accepted = 0 WHERE step_id = $1 AND accepted = 1`, stepID); err != nil || serialID == "" {
		return err
	}
	number, _ := ident.ParseSerialID(serialID)
	return expectOne(t, `UPDATE arrival SET accepted = 1 WHERE step_id = $1 AND serial_number = $2`, stepID, number)
}

// firstStanding is as which the unit came to a step that came first of those that stand there.
const firstStanding = `SELECT f.ordinal FROM arrival f
	JOIN step p ON p.id = f.step_id
	JOIN serial u ON u.number = f.serial_number AND u.path_id = p.path_id AND u.position = p.step_index AND u.status = 'in_progress'
	WHERE f.step_id = $1 ORDER BY f.ordinal LIMIT 1`

type arrivalRow struct {
	number  int64
	stepID  string
	ordinal int64
}

func scanArrival(r rows) (row arrivalRow, err error) {
	err = r.Scan(&row.number, &row.stepID, &row.ordinal)
	return row, err
}

func (t *transaction) CountedUnits() iter.Seq2[shop.CountedUnit, error] {
	scan := func(r rows) (shop.CountedUnit, error) {
		row, err := scanArrival(r)
		return shop.CountedUnit{StepID: row.stepID, SerialID: ident.SerialID(row.number), Ordinal: row.ordinal}, err
	}
	return pages(func(last shop.CountedUnit, _ bool, limit int) ([]shop.CountedUnit, bool, error) {
		return page(t, scan, `SELECT serial_number, step_id, ordinal FROM arrival WHERE (step_id, ordinal) > ($1, $2)
			ORDER BY step_id, ordinal LIMIT $3`, last.StepID, last.Ordinal, limit)
	})
}

type concessionRow struct {
	number     int64
	concession card.Concession
}

func scanConcession(r rows) (row concessionRow, err error) {
	err = r.Scan(&row.number, &row.concession.FoundAt, &row.concession.DecidedAt)
	return row, err
}

// addMeasured adds to cards what there is only on paths with characteristics. It takes no statement for other paths.
func (t *transaction) addMeasured(cards map[string]card.Card) error {
	var numbers []int64
	first := map[string]*[]int64{} // of the steps that wait for a first piece: as which unit came who stands first
	for id := range cards {
		card := cards[id]
		if len(card.Path.Characteristics) == 0 {
			continue
		}
		number, _ := ident.ParseSerialID(id)
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
	var statements []statement
	for chunk := range chunks(numbers) {
		placeholders, args := inList(1, chunk)
		statements = append(statements,
			statement{
				selectMeasurements + ` WHERE serial_number IN (` + placeholders + `) AND voided_at = 0 ORDER BY serial_number, id`,
				args, into(&readings, scanMeasurement),
			},
			statement{`SELECT serial_number, found_at, decided_at FROM nonconforming_unit
				WHERE serial_number IN (` + placeholders + `) AND disposition = 'use_as_is'`, args, into(&concessions, scanConcession)},
			statement{`SELECT serial_number, step_id, ordinal FROM arrival WHERE serial_number IN (` + placeholders + `)`,
				args, into(&counted, scanArrival)})
	}
	for _, stepID := range slices.Sorted(maps.Keys(first)) {
		statements = append(statements, statement{firstStanding, []any{stepID}, into(first[stepID], scalar[int64])})
	}
	if err := pipelined(t.querier, statements...); err != nil {
		return err
	}
	addReadings(cards, readings, concessions, counted)
	standInLine(cards, first)
	return nil
}

func addReadings(cards map[string]card.Card, readings []card.Measurement, concessions []concessionRow, counted []arrivalRow) {
	for i := range readings {
		card := cards[readings[i].SerialID]
		card.Readings = append(card.Readings, readings[i])
		cards[readings[i].SerialID] = card
	}
	for _, row := range concessions {
		id := ident.SerialID(row.number)
		card := cards[id]
		card.Concessions = append(card.Concessions, row.concession)
		cards[id] = card
	}
	for _, row := range counted {
		id := ident.SerialID(row.number)
		unit := cards[id]
		if unit.Arrivals == nil {
			unit.Arrivals = map[string]card.Arrival{}
			cards[id] = unit
		}
		unit.Arrivals[row.stepID] = card.Arrival{Ordinal: row.ordinal}
	}
}

// standInLine says of each card at which steps another unit stands before it, where a first piece is waited for.
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
