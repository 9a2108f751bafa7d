package statement

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// Cards has the statements that read and change route cards one by one.
type Cards struct{ *db.Core }

// CardRow is a row of SelectCards or SelectSerials. The flags report which other parts the card has.
type CardRow struct {
	Number     int64
	Card       card.Card
	Revision   string
	exceptions bool
	overrides  bool
	held       bool
	away       bool
}

// SelectCards looks up the unit in which a unit is installed only for completed units, because no other unit can be installed.
//
// No argument of SelectCards affects the choice of a partial index. Otherwise SQLite would prepare the statement again for every value.
const SelectCards = SelectSerials + `,
		COALESCE((SELECT p.revision FROM path p WHERE p.id = s.path_id), ''),
		EXISTS (SELECT 1 FROM step_exception e WHERE e.serial_number = s.number),
		EXISTS (SELECT 1 FROM step_override o WHERE o.serial_number = s.number AND o.active),
		EXISTS (SELECT 1 FROM hold h WHERE h.serial_number = s.number AND h.released_at = 0),
		EXISTS (SELECT 1 FROM shipment_line l WHERE l.serial_number = s.number AND l.settled_at = 0),
		CASE WHEN s.status = 'completed' THEN COALESCE((SELECT c.serial_number FROM component c WHERE c.component_number = s.number
			AND ` + openUnit + `), 0) ELSE 0 END, ` + db.ExternalOfSerial + `
	FROM serial s WHERE s.number `

// ScanCard scans a row of SelectCards.
func ScanCard(prefix ident.Prefix, r db.Rows) (row CardRow, err error) {
	var inside int64
	err = row.Scan(prefix, r, &row.Revision, &row.exceptions, &row.overrides, &row.held, &row.away, &inside, &row.Card.ExternalID)
	if inside != 0 {
		row.Card.Inside = prefix.SerialID(inside)
	}
	return row, err
}

// scanSerial reads a row of SelectSerials.
func scanSerial(prefix ident.Prefix, r db.Rows) (row CardRow, err error) {
	err = row.Scan(prefix, r)
	return row, err
}

// Scan reads the columns of SelectSerials and additional columns.
func (row *CardRow) Scan(prefix ident.Prefix, r db.Rows, more ...any) error {
	s := &row.Card.Serial
	var scrap card.Scrap
	var force card.ForceCompletion
	columns := append(make([]any, 0, 20),
		&row.Number, &s.PathID, &s.Position, &s.Status,
		&scrap.Reason, &scrap.Explanation, &scrap.StepID, &scrap.At, &scrap.By,
		&force.By, &force.At, &force.Reason, &s.CreatedAt, &s.UpdatedAt, &s.Reworks, &s.SerialNumber, &s.BOM.BOMID, &s.BOM.BOMVersion)
	if err := r.Scan(append(columns, more...)...); err != nil {
		return err
	}
	s.ID = prefix.SerialID(row.Number)
	if scrap.Reason != "" {
		s.Scrap = &scrap
	}
	if force.By != "" {
		s.Completion = &force
	}
	return nil
}

func (t Cards) RouteCard(serialID string) (card.Card, error) {
	number, ok := t.Prefix.ParseSerialID(serialID)
	if !ok {
		return card.Card{}, shop.ErrNoRecord
	}
	return t.routeCard(number)
}

func (t Cards) routeCard(number int64) (card.Card, error) {
	cards, err := t.Load([]int64{number})
	if err != nil {
		return card.Card{}, err
	}
	unit, ok := cards[t.Prefix.SerialID(number)]
	if !ok {
		return card.Card{}, shop.ErrNoRecord
	}
	return unit, nil
}

// RevisedCard reads one card without a lock, together with the revision of its path.
func (t Cards) RevisedCard(number int64) (card card.Card, revision string, err error) {
	row, err := db.One(t, db.Named(t.Prefix, ScanCard), SelectCards+`= $1`, number)
	if err != nil {
		return card, "", err
	}
	if path, known := t.PathCache.Get(row.Revision); known && !row.exceptions && !row.overrides && !row.held && !row.away {
		card = row.Card
		card.Path, card.Serial.JobID = path, path.JobID
		if len(path.Characteristics) == 0 && !card.DependsOnParts() {
			return card, row.Revision, nil
		}
	}
	cards, err := CompleteCards(t.Core, []CardRow{row}, nil)
	return cards[row.Card.Serial.ID], row.Revision, err
}

func (t Cards) RouteCards(serialIDs []string) (map[string]card.Card, error) {
	numbers := make([]int64, 0, len(serialIDs))
	for _, id := range serialIDs {
		if number, ok := t.Prefix.ParseSerialID(id); ok {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return map[string]card.Card{}, nil
	}
	return t.Load(numbers)
}

// Load loads the cards of up to a thousand serials. If the serials must be locked, a separate statement locks them first, because a
// statement that waits for a row may read other data that is older than the row. All transactions lock rows in the same order, so that two
// of them cannot wait for each other.
func (t Cards) Load(numbers []int64) (map[string]card.Card, error) {
	var found []CardRow
	var statements []db.Statement
	if t.Lock != "" {
		condition, args := among(1, numbers)
		statements = append(statements, db.Statement{
			SQL: `SELECT number FROM serial WHERE number ` + condition + ` ORDER BY number` + t.Lock, Args: args,
		})
	}
	condition, args := among(1, numbers)
	if !strings.HasPrefix(condition, "BETWEEN") {
		row := db.Into(&found, db.Named(t.Prefix, ScanCard))
		statements = append(statements, db.Statement{SQL: SelectCards + condition, Args: args, Row: row})
		if err := db.Pipelined(t.Querier, statements...); err != nil {
			return nil, err
		}
		return CompleteCards(t.Core, found, nil)
	}
	// Exceptions, overrides and holds are looked up for ranges of consecutive serials. A look-up for each serial would take as long as
	// everything else together.
	extras := cardExtras{prefix: t.Prefix}
	row := db.Into(&found, db.Named(t.Prefix, scanSerial))
	statements = append(statements,
		db.Statement{SQL: SelectSerials + ` FROM serial s WHERE s.number ` + condition, Args: args, Row: row},
		extras.exceptionsOf(condition, args), extras.overridesOf(condition, args), extras.holdsOf(condition, args),
		extras.awayOf(condition, args))
	if err := db.Pipelined(t.Querier, statements...); err != nil {
		return nil, err
	}
	if err := t.revise(found); err != nil {
		return nil, err
	}
	return CompleteCards(t.Core, found, &extras)
}

// revise adds the revisions of the paths to rows that were read without them.
func (t Cards) revise(found []CardRow) error {
	revisions := map[string]string{}
	for i := range found {
		revisions[found[i].Card.Serial.PathID] = ""
	}
	for chunk := range db.Chunks(slices.Sorted(maps.Keys(revisions))) {
		placeholders, args := db.InList(1, chunk)
		if err := db.Pipelined(t.Querier, db.Statement{SQL: `SELECT id, revision FROM path WHERE id IN (` + placeholders + `)`, Args: args,
			Row: func(r db.Rows) error {
				var id, revision string
				err := r.Scan(&id, &revision)
				revisions[id] = revision
				return err
			}}); err != nil {
			return err
		}
	}
	for i := range found {
		found[i].Revision = revisions[found[i].Card.Serial.PathID]
	}
	return nil
}

// cardExtras has the parts that only some cards have.
type cardExtras struct {
	prefix     ident.Prefix
	exceptions []exceptionRow
	overrides  []card.Override
	holds      []card.Hold
	away       []awayRow
	inside     []insideRow
}

func (x *cardExtras) exceptionsOf(condition string, args []any) db.Statement {
	return db.Statement{SQL: `SELECT serial_number, step_id, status, updated_at FROM step_exception WHERE serial_number ` + condition,
		Args: args, Row: db.Into(&x.exceptions, scanException)}
}

func (x *cardExtras) overridesOf(condition string, args []any) db.Statement {
	return db.Statement{SQL: `SELECT ` + overrideColumns + ` FROM step_override WHERE active AND serial_number ` + condition,
		Args: args, Row: db.Into(&x.overrides, db.Named(x.prefix, scanOverride))}
}

func (x *cardExtras) holdsOf(condition string, args []any) db.Statement {
	return db.Statement{SQL: selectHolds + ` WHERE released_at = 0 AND serial_number ` + condition + ` ORDER BY id`,
		Args: args, Row: db.Into(&x.holds, db.Named(x.prefix, scanHold))}
}

func (x *cardExtras) awayOf(condition string, args []any) db.Statement {
	return db.Statement{SQL: `SELECT l.serial_number, h.id, h.kind, h.supplier, h.customer, h.sent_on
		FROM shipment_line l JOIN shipment h ON h.id = l.shipment_id WHERE l.settled_at = 0 AND l.serial_number ` + condition,
		Args: args, Row: db.Into(&x.away, scanAway)}
}

func (x *cardExtras) insideOf(condition string, args []any) db.Statement {
	return db.Statement{SQL: `SELECT c.component_number, c.serial_number FROM component c WHERE ` + openUnit + `
		AND c.component_number ` + condition, Args: args, Row: db.Into(&x.inside, scanInside)}
}

// statements returns the statements that read these parts of the cards. They look up whether a completed unit is installed in another unit
// only if the rows do not include that.
func (x *cardExtras) statements(found []CardRow, ranged bool) []db.Statement {
	var exceptions, overrides, holds, away, completed []int64
	for i := range found {
		row := &found[i]
		if row.exceptions {
			exceptions = append(exceptions, row.Number)
		}
		if row.overrides {
			overrides = append(overrides, row.Number)
		}
		if row.held {
			holds = append(holds, row.Number)
		}
		if row.away {
			away = append(away, row.Number)
		}
		if ranged && row.Card.Serial.Status == card.Completed {
			completed = append(completed, row.Number)
		}
	}
	var statements []db.Statement
	for _, part := range []struct {
		units []int64
		of    func(condition string, args []any) db.Statement
	}{{exceptions, x.exceptionsOf}, {overrides, x.overridesOf}, {holds, x.holdsOf}, {away, x.awayOf}, {completed, x.insideOf}} {
		if len(part.units) > 0 {
			placeholders, args := db.InList(1, part.units)
			statements = append(statements, part.of(`IN (`+placeholders+`)`, args))
		}
	}
	return statements
}

// CompleteCards adds paths, exceptions, overrides and holds to cards. It reads only the paths that are not cached, and reads the other
// parts only for the cards that have them.
func CompleteCards(t *db.Core, found []CardRow, extras *cardExtras) (map[string]card.Card, error) {
	routes := map[string]*[]routeRow{} // of the paths that are not cached
	ranged := extras != nil            // the rows lack the parts that SelectCards looks up
	if extras == nil {
		extras = &cardExtras{prefix: t.Prefix}
	}
	statements := extras.statements(found, ranged)
	for i := range found {
		row := &found[i]
		pathID := row.Card.Serial.PathID
		if _, noted := t.Revisions[pathID]; t.Revisions != nil && !noted {
			t.Revisions[pathID] = row.Revision
		}
		if row.Revision != "" {
			path, known := t.PathCache.Get(row.Revision)
			row.Card.Path, row.Card.Serial.JobID = path, path.JobID
			if _, asked := routes[pathID]; !known && !asked {
				routes[pathID] = &[]routeRow{}
				statements = append(statements, routeStatement(pathID, routes[pathID]))
			}
		}
	}
	if err := db.Pipelined(t.Querier, statements...); err != nil {
		return nil, err
	}
	paths := make(map[string]card.Path, len(routes))
	for id, rows := range routes {
		path, err := keepRoute(t, *rows)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return nil, err
		}
		paths[id] = path
	}
	cards := make(map[string]card.Card, len(found))
	for i := range found {
		card := found[i].Card
		if path, ok := paths[card.Serial.PathID]; ok {
			card.Path, card.Serial.JobID = path, path.JobID
		}
		cards[card.Serial.ID] = card
	}
	extras.add(cards)
	if err := addMeasured(t, cards); err != nil {
		return nil, err
	}
	return cards, addRequired(t, cards)
}

// add adds the extras to their cards.
func (x *cardExtras) add(cards map[string]card.Card) {
	for _, row := range x.exceptions {
		id := x.prefix.SerialID(row.number)
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
	for _, row := range x.away {
		id := x.prefix.SerialID(row.number)
		card := cards[id]
		card.Away = row.away
		cards[id] = card
	}
	for _, row := range x.inside {
		id := x.prefix.SerialID(row.number)
		card := cards[id]
		card.Inside = x.prefix.SerialID(row.parent)
		cards[id] = card
	}
}

type insideRow struct{ number, parent int64 }

func scanInside(r db.Rows) (row insideRow, err error) {
	err = r.Scan(&row.number, &row.parent)
	return row, err
}

type awayRow struct {
	number int64
	away   card.Away
}

func scanAway(r db.Rows) (row awayRow, err error) {
	var customer string
	err = r.Scan(&row.number, &row.away.ShipmentID, &row.away.Kind, &row.away.Party, &customer, &row.away.SentOn)
	row.away.Party = cmp.Or(row.away.Party, customer)
	return row, err
}

type exceptionRow struct {
	number    int64
	exception card.StepException
}

func scanException(r db.Rows) (row exceptionRow, err error) {
	err = r.Scan(&row.number, &row.exception.StepID, &row.exception.Status, &row.exception.UpdatedAt)
	return row, err
}

// MoveSerial sets the position and status of a serial, MoveOn only the position.
const (
	MoveSerial = `UPDATE serial SET position = $2, status = $3, updated_at = $4 WHERE number = $1`
	MoveOn     = `UPDATE serial SET position = $2, updated_at = $4 WHERE number = $1 AND status = $3`
)

// WriteCard writes the change of one serial, without its audit entries.
func (t Cards) WriteCard(number int64, change *card.Change) error {
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
		if err := db.Run(t, `DELETE FROM step_exception WHERE serial_number = $1 AND step_id = $2`, number, stepID); err != nil {
			return err
		}
	}
	for _, exception := range change.Exceptions {
		if err := db.Run(t, `INSERT INTO step_exception (serial_number, step_id, status, updated_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (serial_number, step_id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at`,
			number, exception.StepID, string(exception.Status), int64(exception.UpdatedAt)); err != nil {
			return err
		}
	}
	for _, override := range change.Reversed {
		if err := db.ExpectOne(t, `UPDATE step_override SET active = $2, reversed_at = $3 WHERE id = $1`,
			override.ID, override.Active, int64(override.ReversedAt)); err != nil {
			return err
		}
	}
	if len(change.Arrived) > 0 {
		arrived := Arrivals{}
		arrived.Add(number, change)
		if err := countArrivals(t.Core, arrived); err != nil {
			return err
		}
	}
	return writeHolds(t.Core, change.Held, change.Released)
}

// moveSerial sets the status only if it changes. To check a new status against the list of all statuses, SQLite builds a temporary table
// each time.
func (t Cards) moveSerial(number int64, serial *card.Serial) error {
	if serial.Status == card.InProgress {
		moved, err := db.Affecting(t, MoveOn, number, serial.Position, string(serial.Status), int64(serial.UpdatedAt))
		if err != nil || moved > 0 {
			return err
		}
	}
	return db.ExpectOne(t, MoveSerial, number, serial.Position, string(serial.Status), int64(serial.UpdatedAt))
}

func (t Cards) closeSerial(number int64, serial *card.Serial) error {
	var scrap card.Scrap
	if serial.Scrap != nil {
		scrap = *serial.Scrap
	}
	var force card.ForceCompletion
	if serial.Completion != nil {
		force = *serial.Completion
	}
	return db.ExpectOne(t, `UPDATE serial SET position = $2, status = $3, updated_at = $4,
		scrap_reason = $5, scrap_explanation = $6, scrap_step_id = $7, scrapped_at = $8, scrapped_by = $9,
		force_completed_by = $10, force_completed_at = $11, force_completed_reason = $12, reworks = $13 WHERE number = $1`,
		number, serial.Position, string(serial.Status), int64(serial.UpdatedAt),
		string(scrap.Reason), scrap.Explanation, scrap.StepID, int64(scrap.At), scrap.By,
		force.By, int64(force.At), force.Reason, serial.Reworks)
}

// SelectSerials selects the columns of a serial, for CardRow.Scan.
const SelectSerials = `SELECT s.number, s.path_id, s.position, s.status,
		s.scrap_reason, s.scrap_explanation, s.scrap_step_id, s.scrapped_at, s.scrapped_by,
		s.force_completed_by, s.force_completed_at, s.force_completed_reason, s.created_at, s.updated_at, s.reworks, s.own_number,
		s.bom_id, s.bom_version`
