package sqlstore

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

func (t *transaction) TakeSerialNumbers(quantity int64) (int64, error) {
	last, err := one(t, scalar[int64], `UPDATE counter SET value = value + $1 WHERE name = 'serial' RETURNING value`, quantity)
	return last - quantity + 1, err
}

func (t *transaction) InsertSerials(batch shop.SerialBatch) error {
	first := batch.Serial(batch.First)
	return run(t, `WITH RECURSIVE numbers (number) AS (
			SELECT CAST($1 AS bigint) UNION ALL SELECT number + 1 FROM numbers WHERE number < $2)
		INSERT INTO serial (number, path_id, position, status, created_at, updated_at)
		SELECT number, $3, CAST($4 AS bigint), $5, CAST($6 AS bigint), CAST($7 AS bigint) FROM numbers`,
		batch.First, batch.First+batch.Quantity-1, batch.PathID, first.Position, string(first.Status),
		int64(first.CreatedAt), int64(first.UpdatedAt))
}

func scanListed(r rows) (s shop.ListedSerial, err error) {
	// Scanned as plain strings and numbers: reflection on their named types takes half as long again.
	var status, reason string
	var position, createdAt int64
	err = r.Scan(&s.Number, &s.PathID, &position, &status, &reason, &s.Forced, &createdAt, &s.OwnNumber)
	s.Position, s.CreatedAt = int(position), ident.Timestamp(createdAt)
	s.Status, s.ScrapReason = card.SerialStatus(status), card.ScrapReason(reason)
	return s, err
}

func (t *transaction) Serials(after int64) iter.Seq2[shop.ListedSerial, error] {
	return pages(func(last shop.ListedSerial, first bool, limit int) ([]shop.ListedSerial, bool, error) {
		if first {
			last.Number = after
		}
		return page(t, scanListed, `SELECT number, path_id, position, status, scrap_reason, force_completed_by <> '',
			created_at, own_number FROM serial WHERE number > $1 ORDER BY number LIMIT $2`, last.Number, limit)
	})
}

type cardRow struct {
	number     int64
	card       card.Card
	revision   string
	exceptions bool
	overrides  bool
	held       bool
}

const selectSerials = `SELECT s.number, s.path_id, s.position, s.status,
		s.scrap_reason, s.scrap_explanation, s.scrap_step_id, s.scrapped_at, s.scrapped_by,
		s.force_completed_by, s.force_completed_at, s.force_completed_reason, s.created_at, s.updated_at, s.reworks, s.own_number`

// selectCards has no argument that a partial index depends on. SQLite would prepare the statement again for every
// value.
const selectCards = selectSerials + `,
		COALESCE((SELECT p.revision FROM path p WHERE p.id = s.path_id), ''),
		EXISTS (SELECT 1 FROM step_exception e WHERE e.serial_number = s.number),
		EXISTS (SELECT 1 FROM step_override o WHERE o.serial_number = s.number AND o.active),
		EXISTS (SELECT 1 FROM hold h WHERE h.serial_number = s.number AND h.released_at = 0), ` + externalOfSerial + `
	FROM serial s WHERE s.number `

func scanCard(r rows) (row cardRow, err error) {
	err = row.scan(r, &row.revision, &row.exceptions, &row.overrides, &row.held, &row.card.ExternalID)
	return row, err
}

// scanSerial reads a row of selectSerials.
func scanSerial(r rows) (row cardRow, err error) {
	err = row.scan(r)
	return row, err
}

// scan reads the columns of selectSerials, and more.
func (row *cardRow) scan(r rows, more ...any) error {
	s := &row.card.Serial
	var scrap card.Scrap
	var force card.ForceCompletion
	columns := append(make([]any, 0, 20),
		&row.number, &s.PathID, &s.Position, &s.Status,
		&scrap.Reason, &scrap.Explanation, &scrap.StepID, &scrap.At, &scrap.By,
		&force.By, &force.At, &force.Reason, &s.CreatedAt, &s.UpdatedAt, &s.Reworks, &s.SerialNumber)
	if err := r.Scan(append(columns, more...)...); err != nil {
		return err
	}
	s.ID = ident.SerialID(row.number)
	if scrap.Reason != "" {
		s.Scrap = &scrap
	}
	if force.By != "" {
		s.Completion = &force
	}
	return nil
}

func (t *transaction) RouteCard(serialID string) (card.Card, error) {
	number, ok := ident.ParseSerialID(serialID)
	if !ok {
		return card.Card{}, shop.ErrNoRecord
	}
	return t.routeCard(number)
}

func (t *transaction) routeCard(number int64) (card.Card, error) {
	cards, err := t.cards([]int64{number})
	if err != nil {
		return card.Card{}, err
	}
	unit, ok := cards[ident.SerialID(number)]
	if !ok {
		return card.Card{}, shop.ErrNoRecord
	}
	return unit, nil
}

// revisedCard reads one card without a lock, with the revision of its path.
func (t *transaction) revisedCard(number int64) (card card.Card, revision string, err error) {
	row, err := one(t, scanCard, selectCards+`= $1`, number)
	if err != nil {
		return card, "", err
	}
	path, known := t.routes.get(row.revision)
	if known && !row.exceptions && !row.overrides && !row.held && len(path.Characteristics) == 0 {
		row.card.Path, row.card.Serial.JobID = path, path.JobID
		return row.card, row.revision, nil
	}
	cards, err := t.completeCards([]cardRow{row}, nil)
	return cards[row.card.Serial.ID], row.revision, err
}

func (t *transaction) RouteCards(serialIDs []string) (map[string]card.Card, error) {
	numbers := make([]int64, 0, len(serialIDs))
	for _, id := range serialIDs {
		if number, ok := ident.ParseSerialID(id); ok {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return map[string]card.Card{}, nil
	}
	return t.cards(numbers)
}

// cards loads the cards of up to a thousand serials. Where serials have to be locked, a statement of its own locks them
// first, because what a statement reads beside a row that it waited for may be older than the row. Rows are locked in
// the same order everywhere, so that two callers cannot wait for each other.
func (t *transaction) cards(numbers []int64) (map[string]card.Card, error) {
	var found []cardRow
	var statements []statement
	if t.lock != "" {
		condition, args := among(1, numbers)
		statements = append(statements, statement{
			sql: `SELECT number FROM serial WHERE number ` + condition + ` ORDER BY number` + t.lock, args: args,
		})
	}
	condition, args := among(1, numbers)
	if !strings.HasPrefix(condition, "BETWEEN") {
		statements = append(statements, statement{selectCards + condition, args, into(&found, scanCard)})
		if err := pipelined(t.querier, statements...); err != nil {
			return nil, err
		}
		return t.completeCards(found, nil)
	}
	// Whether serials have exceptions, overrides or holds is read for ranges of consecutive ones. Asking for each
	// serial would take as long as everything else.
	var extras cardExtras
	statements = append(statements, statement{selectSerials + ` FROM serial s WHERE s.number ` + condition, args, into(&found, scanSerial)},
		extras.exceptionsOf(condition, args), extras.overridesOf(condition, args), extras.holdsOf(condition, args))
	if err := pipelined(t.querier, statements...); err != nil {
		return nil, err
	}
	if err := t.revise(found); err != nil {
		return nil, err
	}
	return t.completeCards(found, &extras)
}

// revise adds the revisions of the paths to rows that were read without them.
func (t *transaction) revise(found []cardRow) error {
	revisions := map[string]string{}
	for i := range found {
		revisions[found[i].card.Serial.PathID] = ""
	}
	for chunk := range chunks(slices.Sorted(maps.Keys(revisions))) {
		placeholders, args := inList(1, chunk)
		if err := pipelined(t.querier, statement{`SELECT id, revision FROM path WHERE id IN (` + placeholders + `)`, args,
			func(r rows) error {
				var id, revision string
				err := r.Scan(&id, &revision)
				revisions[id] = revision
				return err
			}}); err != nil {
			return err
		}
	}
	for i := range found {
		found[i].revision = revisions[found[i].card.Serial.PathID]
	}
	return nil
}

// cardExtras is what only some cards have.
type cardExtras struct {
	exceptions []exceptionRow
	overrides  []card.Override
	holds      []card.Hold
}

func (x *cardExtras) exceptionsOf(condition string, args []any) statement {
	return statement{`SELECT serial_number, step_id, status, updated_at FROM step_exception WHERE serial_number ` + condition,
		args, into(&x.exceptions, scanException)}
}

func (x *cardExtras) overridesOf(condition string, args []any) statement {
	return statement{`SELECT ` + overrideColumns + ` FROM step_override WHERE active AND serial_number ` + condition,
		args, into(&x.overrides, scanOverride)}
}

func (x *cardExtras) holdsOf(condition string, args []any) statement {
	return statement{selectHolds + ` WHERE released_at = 0 AND serial_number ` + condition + ` ORDER BY id`,
		args, into(&x.holds, scanHold)}
}

// completeCards adds paths, exceptions, overrides and holds to cards. It reads paths that are not in the cache, and the
// others only for cards that have some.
func (t *transaction) completeCards(found []cardRow, extras *cardExtras) (map[string]card.Card, error) {
	routes := map[string]*[]routeRow{} // of the paths that are not known yet
	var withExceptions, withOverrides, withHolds []int64
	if extras == nil {
		extras = &cardExtras{}
	}
	var statements []statement
	for i := range found {
		row := &found[i]
		pathID := row.card.Serial.PathID
		if _, noted := t.revisions[pathID]; t.revisions != nil && !noted {
			t.revisions[pathID] = row.revision
		}
		if row.revision != "" {
			path, known := t.routes.get(row.revision)
			row.card.Path, row.card.Serial.JobID = path, path.JobID
			if _, asked := routes[pathID]; !known && !asked {
				routes[pathID] = &[]routeRow{}
				statements = append(statements, routeStatement(pathID, routes[pathID]))
			}
		}
		if row.exceptions {
			withExceptions = append(withExceptions, row.number)
		}
		if row.overrides {
			withOverrides = append(withOverrides, row.number)
		}
		if row.held {
			withHolds = append(withHolds, row.number)
		}
	}
	if len(withExceptions) > 0 {
		placeholders, args := inList(1, withExceptions)
		statements = append(statements, extras.exceptionsOf(`IN (`+placeholders+`)`, args))
	}
	if len(withOverrides) > 0 {
		placeholders, args := inList(1, withOverrides)
		statements = append(statements, extras.overridesOf(`IN (`+placeholders+`)`, args))
	}
	if len(withHolds) > 0 {
		placeholders, args := inList(1, withHolds)
		statements = append(statements, extras.holdsOf(`IN (`+placeholders+`)`, args))
	}
	if err := pipelined(t.querier, statements...); err != nil {
		return nil, err
	}
	paths := make(map[string]card.Path, len(routes))
	for id, rows := range routes {
		path, err := t.keepRoute(*rows)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return nil, err
		}
		paths[id] = path
	}
	cards := make(map[string]card.Card, len(found))
	for i := range found {
		card := found[i].card
		if path, ok := paths[card.Serial.PathID]; ok {
			card.Path, card.Serial.JobID = path, path.JobID
		}
		cards[card.Serial.ID] = card
	}
	extras.add(cards)
	return cards, t.addMeasured(cards)
}

// add adds to each card what belongs to it.
func (x *cardExtras) add(cards map[string]card.Card) {
	for _, row := range x.exceptions {
		id := ident.SerialID(row.number)
		unit := cards[id]
		if unit.Exceptions == nil {
			unit.Exceptions = map[string]card.StepException{}
			cards[id] = unit
		}
		unit.Exceptions[row.exception.StepID] = row.exception
	}
	for _, override := range x.overrides {
		unit := cards[override.SerialID]
		if unit.Overrides == nil {
			unit.Overrides = map[string]card.Override{}
			cards[override.SerialID] = unit
		}
		unit.Overrides[override.StepID] = override
	}
	for _, hold := range x.holds {
		card := cards[hold.SerialID]
		card.Holds = append(card.Holds, hold)
		cards[hold.SerialID] = card
	}
}

type exceptionRow struct {
	number    int64
	exception card.StepException
}

func scanException(r rows) (row exceptionRow, err error) {
	err = r.Scan(&row.number, &row.exception.StepID, &row.exception.Status, &row.exception.UpdatedAt)
	return row, err
}

const overrideColumns = `id, serial_number, step_id, active, reason, created_by, created_at, reversed_at`

func scanOverride(r rows) (o card.Override, err error) {
	var number int64
	err = r.Scan(&o.ID, &number, &o.StepID, &o.Active, &o.Reason, &o.CreatedBy, &o.CreatedAt, &o.ReversedAt)
	o.SerialID = ident.SerialID(number)
	return o, err
}

const (
	moveSerial = `UPDATE serial SET position = $2, status = $3, updated_at = $4 WHERE number = $1`
	moveOn     = `UPDATE serial SET position = $2, updated_at = $4 WHERE number = $1 AND status = $3`
)

// writeCard writes the change of one serial, without its audit entries.
func (t *transaction) writeCard(number int64, change *card.Change) error {
	serial := &change.Serial
	switch {
	case !change.Moved:
	case serial.Scrap == nil && serial.Completion == nil && !change.Rewritten:
		if err := t.moveSerial(number, serial); err != nil {
			return err
		}
	default:
		if err := t.closeSerial(number, serial); err != nil {
			return err
		}
	}
	for _, stepID := range change.Lifted {
		if err := run(t, `DELETE FROM step_exception WHERE serial_number = $1 AND step_id = $2`, number, stepID); err != nil {
			return err
		}
	}
	for _, exception := range change.Exceptions {
		if err := run(t, `INSERT INTO step_exception (serial_number, step_id, status, updated_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (serial_number, step_id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at`,
			number, exception.StepID, string(exception.Status), int64(exception.UpdatedAt)); err != nil {
			return err
		}
	}
	for _, override := range change.Reversed {
		if err := expectOne(t, `UPDATE step_override SET active = $2, reversed_at = $3 WHERE id = $1`,
			override.ID, override.Active, int64(override.ReversedAt)); err != nil {
			return err
		}
	}
	if len(change.Arrived) > 0 {
		arrived := arrivals{}
		arrived.add(number, change)
		if err := t.count(arrived); err != nil {
			return err
		}
	}
	return t.writeHolds(change.Held, change.Released)
}

// moveSerial sets the status only when it changes. For a new status SQLite checks the list of all of them, and builds a
// table of that list each time.
func (t *transaction) moveSerial(number int64, serial *card.Serial) error {
	if serial.Status == card.InProgress {
		moved, err := affecting(t, moveOn, number, serial.Position, string(serial.Status), int64(serial.UpdatedAt))
		if err != nil || moved > 0 {
			return err
		}
	}
	return expectOne(t, moveSerial, number, serial.Position, string(serial.Status), int64(serial.UpdatedAt))
}

func (t *transaction) closeSerial(number int64, serial *card.Serial) error {
	var scrap card.Scrap
	if serial.Scrap != nil {
		scrap = *serial.Scrap
	}
	var force card.ForceCompletion
	if serial.Completion != nil {
		force = *serial.Completion
	}
	return expectOne(t, `UPDATE serial SET position = $2, status = $3, updated_at = $4,
		scrap_reason = $5, scrap_explanation = $6, scrap_step_id = $7, scrapped_at = $8, scrapped_by = $9,
		force_completed_by = $10, force_completed_at = $11, force_completed_reason = $12, reworks = $13 WHERE number = $1`,
		number, serial.Position, string(serial.Status), int64(serial.UpdatedAt),
		string(scrap.Reason), scrap.Explanation, scrap.StepID, int64(scrap.At), scrap.By,
		force.By, int64(force.At), force.Reason, serial.Reworks)
}

func (t *transaction) InsertOverrides(overrides []card.Override) error {
	const width = 8
	args := make([]any, 0, width*len(overrides))
	for _, o := range overrides {
		number, _ := ident.ParseSerialID(o.SerialID)
		args = append(args, o.ID, number, o.StepID, o.Active, o.Reason, o.CreatedBy, int64(o.CreatedAt), int64(o.ReversedAt))
	}
	return insertAll(t, `INSERT INTO step_override (`+overrideColumns+`) VALUES`, width, args, "")
}

func (t *transaction) OverridesOfSerial(serialID string) ([]card.Override, error) {
	number, _ := ident.ParseSerialID(serialID)
	return all(t, scanOverride, `SELECT `+overrideColumns+` FROM step_override WHERE serial_number = $1 ORDER BY id`, number)
}
