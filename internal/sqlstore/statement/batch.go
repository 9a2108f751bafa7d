package statement

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

type batches struct{ *db.Core }

func (t batches) LockSerials(serialIDs []string) error {
	if t.Lock == "" {
		return nil
	}
	numbers := slices.Sorted(func(yield func(int64) bool) {
		for _, id := range serialIDs {
			if number, ok := t.Prefix.ParseSerialID(id); ok && !yield(number) {
				return
			}
		}
	})
	for chunk := range db.Chunks(numbers) {
		condition, args := among(1, chunk)
		if err := db.Run(t, `SELECT number FROM serial WHERE number `+condition+` ORDER BY number`+t.Lock, args...); err != nil {
			return err
		}
	}
	return nil
}

func (t batches) ChangeCards(changes []card.Change) error {
	if err := errors.Join(t.moveAll(changes), t.WriteContents(changes)); err != nil {
		return err
	}
	const width = 4
	var exceptions []any
	reversed := make(map[ident.Timestamp][]any)
	var held, released []card.Hold
	lifted, arrived := map[string][]int64{}, Arrivals{} // by step
	for i := range changes {
		number, _ := t.Prefix.ParseSerialID(changes[i].Serial.ID)
		for _, exception := range changes[i].Exceptions {
			exceptions = append(exceptions, number, exception.StepID, string(exception.Status), int64(exception.UpdatedAt))
		}
		for _, override := range changes[i].Reversed {
			reversed[override.ReversedAt] = append(reversed[override.ReversedAt], override.ID)
		}
		for _, stepID := range changes[i].Lifted {
			lifted[stepID] = append(lifted[stepID], number)
		}
		held, released = append(held, changes[i].Held...), append(released, changes[i].Released...)
		arrived.Add(number, &changes[i])
	}
	for _, stepID := range slices.Sorted(maps.Keys(lifted)) {
		for chunk := range db.Chunks(lifted[stepID]) {
			placeholders, args := db.InList(2, chunk)
			if err := db.Run(t, `DELETE FROM step_exception WHERE step_id = $1 AND serial_number IN (`+placeholders+`)`,
				append([]any{stepID}, args...)...); err != nil {
				return err
			}
		}
	}
	if err := db.InsertAll(t, `INSERT INTO step_exception (serial_number, step_id, status, updated_at) VALUES`, width, exceptions,
		` ON CONFLICT (serial_number, step_id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at`); err != nil {
		return err
	}
	for _, at := range slices.Sorted(maps.Keys(reversed)) {
		for chunk := range db.Chunks(reversed[at]) {
			placeholders, args := db.InList(2, chunk)
			if err := db.Run(t, `UPDATE step_override SET active = FALSE, reversed_at = $1 WHERE id IN (`+placeholders+`)`,
				append([]any{int64(at)}, args...)...); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(writeHolds(t.Core, held, released), countArrivals(t.Core, arrived)); err != nil {
		return err
	}
	return t.appendRuns(entriesOfChanges(changes))
}

// WriteContents stores the bills and the components of changes, which both engines write with the same statements.
func (t batches) WriteContents(changes []card.Change) error {
	billed := map[card.KeptBOM][]int64{}
	var installed []card.Component
	for i := range changes {
		if kept := changes[i].BOM; kept != nil {
			number, _ := t.Prefix.ParseSerialID(changes[i].Serial.ID)
			billed[*kept] = append(billed[*kept], number)
		}
		installed = append(installed, changes[i].Installed...)
	}
	return errors.Join(t.bill(billed), components(t).InsertComponents(installed, ""))
}

// bill sets the bills that serials keep.
func (t batches) bill(billed map[card.KeptBOM][]int64) error {
	for kept, numbers := range billed {
		for chunk := range db.Chunks(numbers) {
			condition, list := among(3, chunk)
			if err := db.Run(t, `UPDATE serial SET bom_id = $1, bom_version = $2 WHERE number `+condition,
				append([]any{kept.BOMID, kept.BOMVersion}, list...)...); err != nil {
				return err
			}
		}
	}
	return nil
}

// entriesOfChanges returns the audit entries of changes, in their order.
func entriesOfChanges(changes []card.Change) []trail.Entry {
	entries := make([]trail.Entry, 0, len(changes))
	for i := range changes {
		entries = append(entries, changes[i].Audit...)
	}
	return entries
}

// appendRuns adds entries of existing serials. For consecutive serials with the same change, one statement reads their numbers from the
// database. If there are no such runs, each entry is a row of the statement.
func (t batches) appendRuns(entries []trail.Entry) error {
	const shortest = 50 // average length; shorter runs are faster row by row
	runs := runsOf(t.Prefix, entries)
	if len(runs)*shortest > len(entries) {
		return Trail(t).AppendAudit(entries...)
	}
	for _, run := range runs {
		e := &entries[run.from]
		first, _ := t.Prefix.ParseSerialID(e.SerialID)
		count := int64(run.to - run.from)
		list := argumentList{prefix: t.Prefix, noSerial: true}
		AuditColumns(e, &list)
		affected, err := db.Affecting(t, insertAuditRun, append(list.args, first, first+count-1)...)
		if err != nil {
			return err
		}
		if affected != count {
			return shop.ErrNoRecord
		}
	}
	return nil
}

type entryRun struct{ from, to int }

// runsOf splits entries into runs. The entries of a run differ only in their serials, which are consecutive.
func runsOf(prefix ident.Prefix, entries []trail.Entry) []entryRun {
	var runs []entryRun
	var last int64
	for i := range entries {
		number, ok := prefix.ParseSerialID(entries[i].SerialID)
		if i > 0 && ok && number == last+1 && sameButSerial(&entries[i-1], &entries[i]) { //nolint:gosec // i > 0
			runs[len(runs)-1].to = i + 1
		} else {
			runs = append(runs, entryRun{i, i + 1})
		}
		last = number
	}
	return runs
}

// sameButSerial reports whether two entries are equal except for their serials.
func sameButSerial(a, b *trail.Entry) bool {
	return a.Action == b.Action && a.UserID == b.UserID && a.Timestamp == b.Timestamp && a.CertID == b.CertID &&
		a.JobID == b.JobID && a.PathID == b.PathID && a.StepID == b.StepID && a.FromStepID == b.FromStepID &&
		a.ToStepID == b.ToStepID && a.BatchQuantity == b.BatchQuantity && a.Actor == b.Actor && a.Means == b.Means &&
		a.ID == b.ID && bytes.Equal(a.Metadata, b.Metadata)
}

// among returns the condition that a number is in a list of up to a thousand. The condition is short if the numbers are consecutive.
func among(first int, numbers []int64) (condition string, args []any) {
	neighbours := len(numbers) > 1
	for i := 1; i < len(numbers) && neighbours; i++ {
		neighbours = numbers[i] == numbers[i-1]+1
	}
	if neighbours {
		return fmt.Sprintf(`BETWEEN $%d AND $%d`, first, first+1), []any{numbers[0], numbers[len(numbers)-1]}
	}
	placeholders, args := db.InList(first, numbers)
	return `IN (` + placeholders + `)`, args
}

// standing has the columns of a serial for its position and for how it was closed. They are the same for all serials that an operation
// moves in the same way.
type standing struct {
	position  int
	status    card.SerialStatus
	updatedAt ident.Timestamp
	scrap     card.Scrap
	force     card.ForceCompletion
	reworks   int
	onlyMoved bool // the change affects only the position, neither the pass nor how the serial was closed
}

func standingOf(change *card.Change) standing {
	serial := &change.Serial
	s := standing{position: serial.Position, status: serial.Status, updatedAt: serial.UpdatedAt, reworks: serial.Reworks}
	if serial.Scrap != nil {
		s.scrap = *serial.Scrap
	}
	if serial.Completion != nil {
		s.force = *serial.Completion
	}
	s.onlyMoved = serial.Scrap == nil && serial.Completion == nil && !change.Rewritten
	return s
}

var standingColumns = [...]string{
	"position", "status", "updated_at", "scrap_reason", "scrap_explanation", "scrap_step_id", "scrapped_at", "scrapped_by",
	"force_completed_by", "force_completed_at", "force_completed_reason", "reworks",
}

// movingColumns is the number of these columns that a change writes if it only moves serials. SQLite updates an index on every column that
// a statement writes, even if the column keeps its value.
const movingColumns = 3

func (s *standing) args() []any {
	return []any{
		s.position, string(s.status), int64(s.updatedAt), string(s.scrap.Reason), s.scrap.Explanation, s.scrap.StepID,
		int64(s.scrap.At), s.scrap.By, s.force.By, int64(s.force.At), s.force.Reason, s.reworks,
	}
}

// alikeLimit is the maximum number of kinds of change for which separate statements are faster.
const alikeLimit = 8

// moveAll writes the positions of serials: with one statement for each kind of change, or with one statement for all if there are many
// kinds.
func (t batches) moveAll(changes []card.Change) error {
	alike := map[standing][]int64{}
	order := []standing{}
	for i := range changes {
		if !changes[i].Moved {
			continue
		}
		number, ok := t.Prefix.ParseSerialID(changes[i].Serial.ID)
		if !ok {
			return shop.ErrNoRecord
		}
		key := standingOf(&changes[i])
		if _, known := alike[key]; !known {
			order = append(order, key)
		}
		alike[key] = append(alike[key], number)
	}
	if len(order) > alikeLimit {
		return t.moveApart(order, alike)
	}
	for _, key := range order {
		if err := t.moveAlike(key, alike[key]); err != nil {
			return err
		}
	}
	return nil
}

// moveAlike moves all of the serials to one position.
func (t batches) moveAlike(to standing, numbers []int64) error {
	columns, args := standingColumns[:], to.args()
	if to.onlyMoved {
		columns, args = columns[:movingColumns], args[:movingColumns]
	}
	var set strings.Builder
	for i, column := range columns {
		if i > 0 {
			set.WriteString(", ")
		}
		fmt.Fprintf(&set, "%s = $%d", column, i+1)
	}
	for chunk := range db.Chunks(numbers) {
		condition, list := among(len(args)+1, chunk)
		affected, err := db.Affecting(t, `UPDATE serial SET `+set.String()+` WHERE number `+condition,
			append(slices.Clip(args), list...)...)
		if err != nil {
			return err
		}
		if affected != int64(len(chunk)) {
			return shop.ErrNoRecord
		}
	}
	return nil
}

// moveApart moves each serial to a separate position.
func (t batches) moveApart(order []standing, alike map[standing][]int64) error {
	width := 1 + len(standingColumns)
	var args []any
	for _, key := range order {
		for _, number := range alike[key] {
			args = append(append(args, number), key.args()...)
		}
	}
	var set strings.Builder
	for i, column := range standingColumns {
		if i > 0 {
			set.WriteString(", ")
		}
		fmt.Fprintf(&set, "%s = new.%s", column, column)
	}
	for chunk := range slices.Chunk(args, db.InsertLimit/width*width) {
		var rows strings.Builder
		for i := 0; i < len(chunk); i += width {
			if i > 0 {
				rows.WriteString(", ")
			}
			rows.WriteString("(" + db.PlaceholderList(1+i, width) + ")")
		}
		affected, err := db.Affecting(t, `WITH new (number, `+strings.Join(standingColumns[:], ", ")+`) AS (VALUES `+rows.String()+`)
			UPDATE serial SET `+set.String()+` FROM new WHERE serial.number = new.number`, chunk...)
		if err != nil {
			return err
		}
		if affected != int64(len(chunk)/width) {
			return shop.ErrNoRecord
		}
	}
	return nil
}
