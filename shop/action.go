package shop

import (
	"iter"
	"slices"
)

// actionRow is what holds of an audit action. Whoever needs to know it reads it here.
type actionRow struct {
	action AuditAction
	// of are the kinds of records that the action tells of; none for what happens to the database as a whole.
	of []RecordKind
	// moves says that the action may change where units stand, or what their positions mean.
	moves bool
	// closes says that a unit is no longer in progress after it.
	closes bool
	// replay is what the action does to a card; nil when it leaves the card as it is.
	replay func(*Replayed, *AuditEntry) error
	// signed is the operation that signs the action; "" when nobody has to sign it.
	signed SignedOperation
	// whole says that a change which tells of this action and of others is signed as this one: a disposition also scraps,
	// releases and sends back.
	whole bool
	// access says that the action is about who may do what.
	access bool
}

// actionTable has a row for every audit action: those of units first, those of access last.
var actionTable = []actionRow{
	{action: ActionSerialCreated, of: only(RecordSerial), moves: true, replay: (*Replayed).created},
	{action: ActionSerialAdvanced, of: only(RecordSerial), moves: true, replay: (*Replayed).moved},
	{action: ActionSerialCompleted, of: only(RecordSerial), moves: true, closes: true, replay: (*Replayed).moved},
	{
		action: ActionSerialScrapped, of: only(RecordSerial), moves: true, closes: true, replay: (*Replayed).scrapped,
		signed: SignScrap,
	},
	{
		action: ActionSerialForceCompleted, of: only(RecordSerial), moves: true, closes: true,
		replay: (*Replayed).forceCompleted, signed: SignForceComplete,
	},
	{action: ActionStepSkipped, of: only(RecordStepStatus), replay: (*Replayed).bypassed},
	{action: ActionStepDeferred, of: only(RecordStepStatus), replay: (*Replayed).bypassed},
	{action: ActionDeferredStepCompleted, of: only(RecordStepStatus), replay: (*Replayed).resolved},
	{action: ActionStepWaived, of: only(RecordStepStatus), replay: (*Replayed).resolved, signed: SignWaive},
	{action: ActionStepOverrideCreated, of: only(RecordOverride), replay: (*Replayed).overridden, signed: SignOverride},
	{action: ActionStepOverrideReversed, of: only(RecordOverride), replay: (*Replayed).overridden, signed: SignOverride},
	{action: ActionCertAttached, of: only(RecordAttachment)},
	{action: ActionNoteCreated, of: only(RecordNote)},
	{action: ActionFileAttached, of: []RecordKind{RecordFileLink, RecordFile}},
	{action: ActionSerialHeld, of: only(RecordHold), replay: (*Replayed).held},
	{action: ActionSerialReleased, of: only(RecordHold), replay: (*Replayed).held, signed: SignRelease},
	{action: ActionSerialReworked, of: only(RecordSerial), moves: true, replay: (*Replayed).reworked, signed: SignRework},
	{
		action: ActionChangeUndone, of: only(RecordSerial), moves: true, replay: (*Replayed).undone,
		signed: SignUndo, whole: true,
	},
	{action: ActionRecordVoided, of: []RecordKind{RecordAttachment, RecordNote, RecordFileLink}},
	{action: ActionNonconformanceOpened, of: only(RecordNonconformance)},
	{action: ActionNonconformanceExtended, of: only(RecordNonconformance)},
	{action: ActionNonconformanceDispositioned, of: only(RecordNonconformance), signed: SignDisposition, whole: true},
	{action: ActionNonconformanceClosed, of: only(RecordNonconformance)},
	{action: ActionRecordSigned, of: only(RecordSignature)},

	{action: ActionJobCreated, of: only(RecordJob)},
	{action: ActionJobChanged, of: only(RecordJob)},
	{action: ActionPathCreated, of: only(RecordPath)},
	{action: ActionPathUpdated, of: only(RecordPath), moves: true, signed: SignPathUpdate},
	{action: ActionPathDeleted, of: only(RecordPath), moves: true},
	{action: ActionAdvancementModeChanged, of: only(RecordPath), signed: SignPathUpdate},
	{action: ActionStepAssigned, of: only(RecordStep)},
	{action: ActionStepConfigChanged, of: only(RecordStep), signed: SignPathUpdate},
	{action: ActionTemplateApplied, of: only(RecordPath)},
	{action: ActionCertificateCreated, of: only(RecordCertificate)},
	{action: ActionBOMCreated, of: only(RecordBOM)},
	{action: ActionBOMUpdated, of: only(RecordBOM)},
	{action: ActionBOMEdited, of: []RecordKind{RecordBOM, RecordBOMVersion}, signed: SignBOMEdit},
	{action: ActionUserCreated, of: only(RecordUser)},
	{action: ActionUserChanged, of: only(RecordUser)},
	{action: ActionTemplateCreated, of: only(RecordTemplate)},
	{action: ActionTemplateChanged, of: only(RecordTemplate)},
	{action: ActionTemplateDeleted, of: only(RecordTemplate)},

	{action: ActionLedgerStarted, of: only(RecordLedger)},
	{action: ActionLedgerRestarted, of: only(RecordLedger)},
	{action: ActionLedgerEntriesFound, of: only(RecordLedger)},
	{action: ActionLedgerKeyAdded, of: only(RecordLedger)},
	{action: ActionLedgerKeyRetired, of: only(RecordLedger)},
	{action: ActionDatabaseRestored},

	{action: ActionAccountChanged, of: only(RecordUser), access: true},
	{action: ActionAccountConfirmed, of: only(RecordUser), access: true},
	{action: ActionSecretChanged, of: only(RecordUser), access: true},
	{action: ActionTokenCreated, of: only(RecordToken), access: true},
	{action: ActionTokenRevoked, of: only(RecordToken), access: true},
	{action: ActionStationCreated, of: only(RecordStation), access: true},
	{action: ActionStationRevoked, of: only(RecordStation), access: true},
	{action: ActionSignInLocked, access: true},
	{action: ActionAccountUnlocked, of: only(RecordUser), access: true},
	{action: ActionSessionEnded, of: only(RecordUser), access: true},
	{action: ActionSignaturePolicyChanged, of: only(RecordSignaturePolicy), access: true},
	{action: ActionAccessPolicyChanged, of: only(RecordAccessPolicy), access: true},
}

func only(kind RecordKind) []RecordKind { return []RecordKind{kind} }

// actionRows finds the row of an action.
var actionRows = func() map[AuditAction]*actionRow {
	rows := make(map[AuditAction]*actionRow, len(actionTable))
	for i := range actionTable {
		rows[actionTable[i].action] = &actionTable[i]
	}
	return rows
}()

// row is what holds of an action. An action that the table does not have, such as one of a later version, tells of no record,
// leaves cards as they are, is not signed, and may have moved anything.
func (a AuditAction) row() *actionRow {
	if row, known := actionRows[a]; known {
		return row
	}
	return &actionRow{action: a, moves: true}
}

// Of returns the kinds of records that an action tells of, and nothing for an action that is not known. The caller must not
// change the list.
func (a AuditAction) Of() []RecordKind { return a.row().of }

// TellsOf reports whether an action tells of records of a kind.
func (a AuditAction) TellsOf(kind RecordKind) bool { return slices.Contains(a.row().of, kind) }

// Closes reports whether a unit is no longer in progress after an action.
func (a AuditAction) Closes() bool { return a.row().closes }

// SignedAs returns the operation as which an action has to be signed where that is demanded, "" for one that nobody signs.
func (a AuditAction) SignedAs() SignedOperation { return a.row().signed }

// ChangesCard reports whether an action changes a unit's card. Replay takes its entries then.
func (a AuditAction) ChangesCard() bool { return a.row().replay != nil }

// AuditActions returns the audit actions but those about access, those of units first.
func AuditActions() []AuditAction { return slices.Collect(actionsAboutAccess(false)) }

// AccessActions returns the audit actions that are about who may do what.
func AccessActions() []AuditAction { return slices.Collect(actionsAboutAccess(true)) }

func actionsAboutAccess(access bool) iter.Seq[AuditAction] {
	return func(yield func(AuditAction) bool) {
		for i := range actionTable {
			if actionTable[i].access == access && !yield(actionTable[i].action) {
				return
			}
		}
	}
}
