package shop_test

import (
	"encoding/json"
	"slices"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// walked has the state that follows from the entries of the trail: components, lots and shipments. It follows the contract and uses no rule
// of the service.
type walked struct {
	outside   string // the step with outside work
	rows      []*walkedRow
	remaining map[string]input.Decimal // by lot
	away      map[string]card.Away     // by unit
	back      map[walkedLine]walkedReturn
	voided    map[string]bool     // the voided records
	reworks   map[string][]string // by unit: the entries of its reworks, oldest first, without undone ones
}

// walkedRow is one installation.
type walkedRow struct {
	id, parent, unit, lot string
	quantity              input.Decimal
	removed, returned     bool
	voided                bool
}

// walkedLine is a unit that a receipt brought back.
type walkedLine struct{ receipt, unit string }

type walkedReturn struct {
	from  card.Away
	entry string
}

func newWalked() *walked {
	return &walked{
		remaining: map[string]input.Decimal{}, away: map[string]card.Away{}, back: map[walkedLine]walkedReturn{}, voided: map[string]bool{},
		reworks: map[string][]string{},
	}
}

// parent returns the unit that contains a unit, or "".
func (w *walked) parent(id string) string {
	for _, row := range w.rows {
		if id != "" && row.unit == id && row.open() {
			return row.parent
		}
	}
	return ""
}

func (r *walkedRow) open() bool { return !r.removed && !r.voided }

// within returns the units and lots inside a unit at any depth. It contains the unit itself only if the unit contains itself.
func (w *walked) within(id string) map[string]bool {
	found := map[string]bool{}
	for below := []string{id}; len(below) > 0; below = below[1:] {
		for _, row := range w.rows {
			if part := row.unit + row.lot; row.parent == below[0] && row.open() && !found[part] {
				found[part], below = true, append(below, part)
			}
		}
	}
	return found
}

func (w *walked) row(id string) *walkedRow {
	for _, row := range w.rows {
		if row.id == id {
			return row
		}
	}
	return nil
}

// book adds an amount to the remaining quantity of a lot, or deducts it.
func (w *walked) book(t *rapid.T, lot string, amount input.Decimal, add bool) {
	change := input.Decimal.Minus
	if add {
		change = input.Decimal.Plus
	}
	after, exact := change(w.remaining[lot], amount)
	if !exact || after.Sign() < 0 {
		t.Fatalf("%s of lot %s remains after %s", after, lot, amount)
	}
	w.remaining[lot] = after
}

// read returns the metadata of an entry.
func read[T any](t *rapid.T, entry *trail.Entry) (told T) {
	if err := json.Unmarshal(entry.Metadata, &told); err != nil {
		t.Fatal(err)
	}
	return told
}

// walkedBooking is the metadata of an entry about a lot.
type walkedBooking struct {
	LotID    string
	Quantity input.Decimal
	After    struct{ Quantity, Remaining input.Decimal }
}

// add follows one entry.
func (w *walked) add(t *rapid.T, entry *trail.Entry) {
	unit := entry.SerialID
	switch entry.Action {
	case card.ActionComponentInstalled:
		told := read[card.InstalledMetadata](t, entry)
		if inside := w.parent(told.ComponentSerialID); inside != "" {
			t.Fatalf("%s: %s is inside %s and %s", entry.ID, told.ComponentSerialID, inside, unit)
		}
		if told.LotID != "" {
			w.book(t, told.LotID, told.Quantity, false)
		}
		w.rows = append(w.rows, &walkedRow{
			id: told.ComponentID, parent: unit, unit: told.ComponentSerialID, lot: told.LotID, quantity: told.Quantity,
		})
	case card.ActionComponentRemoved:
		told := read[card.RemovedMetadata](t, entry)
		row := w.row(told.ComponentID)
		if row.removed, row.returned = true, told.Returned; told.Returned && row.lot != "" {
			w.book(t, row.lot, row.quantity, true)
		}
	case card.ActionRecordVoided:
		w.void(t, unit, read[card.VoidedMetadata](t, entry).RecordID)
	case shop.ActionLotCreated:
		told := read[walkedBooking](t, entry)
		w.remaining[told.LotID] = told.After.Quantity
	case shop.ActionLotSplit:
		told := read[walkedBooking](t, entry)
		w.book(t, told.LotID, told.Quantity, false)
	case shop.ActionLotAdjusted:
		told := read[walkedBooking](t, entry)
		w.remaining[told.LotID] = told.After.Remaining
	case card.ActionSerialSent:
		if _, is := w.away[unit]; is {
			t.Fatalf("%s: %s was sent while it was away", entry.ID, unit)
		}
		w.away[unit] = read[card.SentMetadata](t, entry).Away
	case card.ActionSerialReceived:
		if told := read[card.ReceivedMetadata](t, entry); told.Result.Returns() {
			w.back[walkedLine{told.ReceiptID, unit}] = walkedReturn{w.away[unit], entry.ID}
			delete(w.away, unit)
		}
	case card.ActionSerialReworked:
		w.reworks[unit] = append(w.reworks[unit], entry.ID)
	case replay.ActionChangeUndone:
		undone := read[replay.UndoneMetadata](t, entry).EntryID
		w.reworks[unit] = slices.DeleteFunc(w.reworks[unit], func(rework string) bool { return rework == undone })
	case card.ActionSerialAdvanced, card.ActionSerialCompleted:
		if entry.FromStepID == w.outside && !w.cameBack(unit) {
			t.Fatalf("%s: %s left the outside step without a receipt in this pass", entry.ID, unit)
		}
	default:
	}
}

// void follows the voiding of a component, which both of its units record, or of a receipt.
func (w *walked) void(t *rapid.T, unit, record string) {
	row := w.row(record)
	if row != nil && !row.voided && !row.returned && row.lot != "" {
		w.book(t, row.lot, row.quantity, true)
	}
	if row != nil {
		row.voided = true
	}
	w.voided[record] = true
	if was, is := w.back[walkedLine{record, unit}]; is {
		w.away[unit] = was.from
		delete(w.back, walkedLine{record, unit})
	}
}

// cameBack reports whether a supplier returned a unit after its last rework that was not undone.
func (w *walked) cameBack(unit string) bool {
	last := ""
	if reworks := w.reworks[unit]; len(reworks) > 0 {
		last = reworks[len(reworks)-1]
	}
	for line, back := range w.back {
		if line.unit == unit && back.entry > last && back.from.Kind == card.ToSupplier {
			return true
		}
	}
	return false
}
