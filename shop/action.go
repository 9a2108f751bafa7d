package shop

import (
	"iter"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// actionRow is what holds of an audit action. Whoever needs to know it reads it here.
type actionRow struct {
	action trail.Action
	// of are the kinds of records that the action tells of; none for what happens to the database as a whole.
	of []ident.RecordKind
	// moves says that the action may change where units stand, or what their positions mean.
	moves bool
	// closes says that a unit is no longer in progress after it.
	closes bool
	// replay is what the action does to a card; nil when it leaves the card as it is.
	replay func(*Replayed, *trail.Entry) error
	// signed is the operation that signs the action; "" when nobody has to sign it.
	signed SignedOperation
	// whole says that a change which tells of this action and of others is signed as this one: a disposition also scraps,
	// releases and sends back.
	whole bool
	// access says that the action is about who may do what.
	access bool
}

// actionTable has a row for every audit action: those that the nouns declare, in the order of nouns. The one of a voiding tells
// of every kind of record that can be voided.
var actionTable = func() []actionRow {
	rows := rowsOf(func(n noun) []actionRow { return n.actions })
	at := slices.IndexFunc(rows, func(row actionRow) bool { return row.action == ActionRecordVoided })
	for _, record := range records {
		if record.Voidable {
			rows[at].of = append(rows[at].of, record.Kind)
		}
	}
	return rows
}()

func only(kind ident.RecordKind) []ident.RecordKind { return []ident.RecordKind{kind} }

// actionRows finds the row of an action.
var actionRows = func() map[trail.Action]*actionRow {
	rows := make(map[trail.Action]*actionRow, len(actionTable))
	for i := range actionTable {
		rows[actionTable[i].action] = &actionTable[i]
	}
	return rows
}()

// rowOfAction is what holds of an action. An action that the table does not have, such as one of a later version, tells of no record,
// leaves cards as they are, is not signed, and may have moved anything.
func rowOfAction(a trail.Action) *actionRow {
	if row, known := actionRows[a]; known {
		return row
	}
	return &actionRow{action: a, moves: true}
}

// KindsOf returns the kinds of records that an action tells of, and nothing for an action that is not known. The caller must not
// change the list.
func KindsOf(a trail.Action) []ident.RecordKind { return rowOfAction(a).of }

// TellsOf reports whether an action tells of records of a kind.
func TellsOf(a trail.Action, kind ident.RecordKind) bool {
	return slices.Contains(rowOfAction(a).of, kind)
}

// MovesUnits reports whether an action may change where units stand, or what their positions mean.
func MovesUnits(a trail.Action) bool { return rowOfAction(a).moves }

// ClosesUnits reports whether a unit is no longer in progress after an action.
func ClosesUnits(a trail.Action) bool { return rowOfAction(a).closes }

// SigningOf returns the operation as which an action has to be signed where that is demanded, "" for one that nobody signs.
func SigningOf(a trail.Action) SignedOperation { return rowOfAction(a).signed }

// AboutAccounts reports whether an action tells of people, of their accounts, or of what is demanded of them.
func AboutAccounts(a trail.Action) bool {
	row := rowOfAction(a)
	return row.access || row.signed == SignAccounts || TellsOf(a, RecordUser)
}

// ChangesCard reports whether an action changes a unit's card. Replay takes its entries then.
func ChangesCard(a trail.Action) bool { return rowOfAction(a).replay != nil }

// CheckAction refuses an action that no noun declares, as the value of a field.
func CheckAction(a trail.Action, field string) error {
	if _, known := actionRows[a]; !known {
		return refusal.RefuseField(refusal.ActionUnknown, field, string(a))
	}
	return nil
}

// AuditActions returns the audit actions but those about access, in the order of nouns: those of units first.
func AuditActions() []trail.Action { return slices.Collect(actionsAboutAccess(false)) }

// AccessActions returns the audit actions that are about who may do what.
func AccessActions() []trail.Action { return slices.Collect(actionsAboutAccess(true)) }

func actionsAboutAccess(access bool) iter.Seq[trail.Action] {
	return func(yield func(trail.Action) bool) {
		for i := range actionTable {
			if actionTable[i].access == access && !yield(actionTable[i].action) {
				return
			}
		}
	}
}
