package statement

import (
	"encoding/json"
	"iter"
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type requirements struct{ *db.Core }

const requirementColumns = `id, step_id, revision, requirements, changed_by, changed_at`

func scanRequirements(r db.Rows) (set card.RequirementSet, err error) {
	var required string
	if err := r.Scan(&set.ID, &set.StepID, &set.Revision, &required, &set.ChangedBy, &set.ChangedAt); err != nil {
		return set, err
	}
	err = decodeRequirements(&set, required)
	return set, err
}

func decodeRequirements(set *card.RequirementSet, required string) error {
	if wrong := json.Unmarshal([]byte(required), &set.Requirements); wrong != nil {
		return &shop.UnreadableError{Table: "step_requirements", ID: set.ID, Err: wrong}
	}
	return nil
}

func (t requirements) InsertRequirements(set card.RequirementSet) error {
	required, err := json.Marshal(set.Requirements)
	if err != nil {
		return err
	}
	return db.Run(t, `INSERT INTO step_requirements (`+requirementColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		set.ID, set.StepID, set.Revision, string(required), set.ChangedBy, int64(set.ChangedAt))
}

func (t requirements) AllRequirements() iter.Seq2[card.RequirementSet, error] {
	type set = db.Listed[card.RequirementSet]
	return db.Readable(t.Core, db.Pages(func(last set, _ bool, limit int) ([]set, bool, error) {
		return db.Page(t, db.Lenient(scanRequirements), `SELECT `+requirementColumns+` FROM step_requirements
			WHERE id > $1 ORDER BY id LIMIT $2`, last.Record.ID, limit)
	}))
}

// selectKeptBill reads the entries of a version of a bill. Version n has the entries before the n-th edit. The last version is not stored
// in bom_version.
const selectKeptBill = `SELECT COALESCE((SELECT entries_snapshot FROM bom_version WHERE bom_id = $1 AND version_number = $2),
	(SELECT entries FROM bom WHERE id = $1), '')`

type installedRow struct {
	number int64
	part   card.Installed
}

func scanInstalled(r db.Rows) (row installedRow, err error) {
	err = r.Scan(&row.number, &row.part.PartType, &row.part.StepID, &row.part.Quantity, &row.part.OfLot, &row.part.Substitute)
	return row, err
}

type certifiedRow struct {
	number int64
	stepID string
	pass   int
}

func scanCertified(r db.Rows) (row certifiedRow, err error) {
	err = r.Scan(&row.number, &row.stepID, &row.pass)
	return row, err
}

// addRequired adds the parts of cards that only units with a bill, and paths with requirements, have. Other cards need no statement.
func addRequired(t *db.Core, cards map[string]card.Card) error {
	var units []int64
	bills := map[card.KeptBOM]*[]string{} // the entries as JSON
	for id := range cards {
		unit := cards[id]
		if !unit.DependsOnParts() {
			continue
		}
		number, _ := t.Prefix.ParseSerialID(id)
		units = append(units, number)
		if kept := unit.Serial.BOM; kept.BOMID != "" && bills[kept] == nil {
			bills[kept] = &[]string{}
		}
	}
	if len(units) == 0 {
		return nil
	}
	slices.Sort(units)
	var installed []installedRow
	var certified []certifiedRow
	var returned []returnedRow
	var statements []db.Statement
	for chunk := range db.Chunks(units) {
		placeholders, args := db.InList(1, chunk)
		statements = append(statements,
			db.Statement{SQL: `SELECT serial_number, part_type, step_id, quantity, lot_id <> '', substitute_reason <> '' FROM component
				WHERE serial_number IN (` + placeholders + `) AND ` + openComponent + ` ORDER BY serial_number, id`,
				Args: args, Row: db.Into(&installed, scanInstalled)},
			db.Statement{SQL: `SELECT serial_number, step_id, pass FROM attachment
				WHERE serial_number IN (` + placeholders + `) AND voided_as = ''`,
				Args: args, Row: db.Into(&certified, scanCertified)},
			db.Statement{SQL: `SELECT serial_number, step_id, pass, certified FROM shipment_line
				WHERE serial_number IN (` + placeholders + `) AND settled_at <> 0`,
				Args: args, Row: db.Into(&returned, scanReturned)})
	}
	for kept, entries := range bills {
		statements = append(statements, db.Statement{
			SQL: selectKeptBill, Args: []any{kept.BOMID, kept.BOMVersion}, Row: db.Into(entries, db.Scalar[string]),
		})
	}
	if err := db.Pipelined(t.Querier, statements...); err != nil {
		return err
	}
	addParts(t.Prefix, cards, installed, certified)
	addReturned(t.Prefix, cards, returned)
	return addBills(t, cards, bills)
}

func addParts(prefix ident.Prefix, cards map[string]card.Card, installed []installedRow, certified []certifiedRow) {
	for _, row := range installed {
		id := prefix.SerialID(row.number)
		unit := cards[id]
		unit.Installed = append(unit.Installed, row.part)
		cards[id] = unit
	}
	for _, row := range certified {
		id := prefix.SerialID(row.number)
		unit := cards[id]
		if row.pass < unit.Serial.Pass() {
			continue
		}
		if unit.Certified == nil {
			unit.Certified = map[string]bool{}
			cards[id] = unit
		}
		unit.Certified[row.stepID] = true
	}
}

type returnedRow struct {
	number    int64
	stepID    string
	pass      int
	certified int64
}

func scanReturned(r db.Rows) (row returnedRow, err error) {
	err = r.Scan(&row.number, &row.stepID, &row.pass, &row.certified)
	return row, err
}

// addReturned adds the outside work from which units were received in this pass.
func addReturned(prefix ident.Prefix, cards map[string]card.Card, returned []returnedRow) {
	for _, row := range returned {
		id := prefix.SerialID(row.number)
		unit := cards[id]
		if row.pass < unit.Serial.Pass() {
			continue
		}
		if unit.Returned == nil {
			unit.Returned = map[string]bool{}
		}
		unit.Returned[row.stepID] = true
		if row.certified != 0 {
			if unit.Certified == nil {
				unit.Certified = map[string]bool{}
			}
			unit.Certified[row.stepID] = true
		}
		cards[id] = unit
	}
}

func addBills(t *db.Core, cards map[string]card.Card, bills map[card.KeptBOM]*[]string) error {
	read := make(map[card.KeptBOM][]card.BillEntry, len(bills))
	for kept, entries := range bills {
		var bill []card.BillEntry
		if wrong := json.Unmarshal([]byte((*entries)[0]), &bill); wrong != nil && !t.Partial {
			return &shop.UnreadableError{Table: "bom", ID: kept.BOMID, Err: wrong}
		}
		read[kept] = bill
	}
	for id := range cards {
		unit := cards[id]
		if bill := read[unit.Serial.BOM]; len(bill) > 0 {
			unit.Bill = bill
			cards[id] = unit
		}
	}
	return nil
}
