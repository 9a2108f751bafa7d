package shop

import (
	"cmp"
	"context"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// Disposition is the decision about a unit on a report.
type Disposition string

// The dispositions.
const (
	UseAsIs          Disposition = "use_as_is"
	Rework           Disposition = "rework"
	Repair           Disposition = "repair"
	ScrapIt          Disposition = "scrap"
	ReturnToSupplier Disposition = "return_to_supplier"
)

// Dispositions returns all dispositions in the order in which the HTTP API lists them.
func Dispositions() []Disposition {
	return []Disposition{UseAsIs, Rework, Repair, ScrapIt, ReturnToSupplier}
}

// NeedsConcession reports whether the disposition leaves a nonconformity in place, so that a concession is required.
func (d Disposition) NeedsConcession() bool { return d == UseAsIs || d == Repair }

// Conditional reports whether the disposition counts only while its unit is scrapped: undoing the scrap undoes the disposition
// too.
func (d Disposition) Conditional() bool { return d == ScrapIt }

// DispositionInput is the body of Dispose Nonconformance.
type DispositionInput struct {
	SerialIDs       input.TextsInput  `field:"serialIds"`
	Disposition     input.TextInput   `field:"disposition"`
	Reason          input.TextInput   `field:"reason"`
	Concession      input.TextInput   `field:"concession"`
	TargetStepIndex input.NumberInput `field:"targetStepIndex" form:"target"` // for rework and repair
	ScrapReason     input.TextInput   `field:"scrapReason"`                   // for scrap; default: OtherReason
	UserID          input.TextInput   `field:"userId"`
}

// disposal is a decision about units of a report.
type disposal struct {
	report      string
	serialIDs   []string
	disposition Disposition
	reason      string
	concession  string
	target      int64
	scrap       card.ScrapReason
	by          string
}

// Check checks the fields that do not depend on the units, before a page asks for confirmation.
func (in DispositionInput) Check(caller Caller, report string) error {
	_, err := in.check(caller, report)
	return err
}

func (in DispositionInput) check(caller Caller, report string) (d disposal, err error) {
	d.report = report
	if d.serialIDs, err = (SelectionInput{SerialIDs: in.SerialIDs}).list(); err != nil {
		return d, err
	}
	if in.Disposition.Missing() {
		return d, input.NotOneOf("disposition", Dispositions())
	}
	if d.disposition, err = input.OneOf("disposition", in.Disposition, Dispositions()); err != nil {
		return d, err
	}
	limit := input.TextLimit
	if d.disposition == ScrapIt {
		limit -= len(d.explanation()) // the explanation contains the reason
	}
	if d.reason, err = input.RequiredWithin("reason", in.Reason, limit, refusal.Required); err != nil {
		return d, err
	}
	if d.concession, err = input.OptionalWithin("concession", in.Concession, input.TextLimit); err != nil {
		return d, err
	}
	if d.concession == "" && d.disposition.NeedsConcession() {
		return d, refusal.RefuseField(refusal.Required, "concession")
	}
	if d.disposition == Rework || d.disposition == Repair {
		if d.target, err = targetStepIndex(in.TargetStepIndex); err != nil {
			return d, err
		}
	}
	d.scrap = card.OtherReason
	if d.disposition == ScrapIt && !in.ScrapReason.Missing() {
		if d.scrap, err = input.OneOf("scrapReason", in.ScrapReason, scrapReasons); err != nil {
			return d, err
		}
	}
	d.by, err = requiredUser(caller, in.UserID)
	return d, err
}

// explanation returns the explanation of the scrap.
func (d disposal) explanation() string { return d.report + ": " + d.reason }

// DisposeNonconformance decides about units of a report and carries out the decision in the same transaction, under the same rules as if
// each operation were called on its own. If one unit is refused, nothing changes.
func (s *Service) DisposeNonconformance(ctx context.Context, id string, in DispositionInput) (Nonconformance, error) {
	ctx = s.signable(ctx, in, id)
	var report Nonconformance
	if err := takeMemoryFor(ctx, len(in.SerialIDs.Value)); err != nil {
		return report, err
	}
	err := s.Commit(ctx, &report, func(tx Tx) (err error) {
		if report, err = findOpenNonconformance(tx, id); err != nil {
			return err
		}
		decided, err := in.check(CallerOf(ctx), id)
		if err != nil {
			return err
		}
		if err := tx.LockSerials(decided.serialIDs); err != nil {
			return err
		}
		now, on := s.Now(), report.UnitsByID()
		// All units are checked before the first write, so that a refused decision writes nothing.
		if err := eachThousand(ctx, tx, decided.serialIDs, func(chunk []string, cards map[string]card.Card) error {
			_, err := decided.judge(on, chunk, cards, nil, now)
			return err
		}); err != nil {
			return err
		}
		if err := tx.AppendAudit(decided.entry(tx.SerialPrefix(), report, now)); err != nil {
			return err
		}
		if err := eachThousand(ctx, tx, decided.serialIDs, func(chunk []string, cards map[string]card.Card) error {
			begun, err := decided.reworks(tx, chunk)
			if err != nil {
				return err
			}
			changes, err := decided.judge(on, chunk, cards, begun, now)
			if err != nil {
				return err
			}
			if err := tx.ChangeCards(changes); err != nil {
				return err
			}
			return tx.DisposeUnits(id, chunk, decided.unit(now))
		}); err != nil {
			return err
		}
		report, err = readReport(tx, id)
		return err
	})
	return report, err
}

// reworks returns how often units were sent back before, if the decision sends them back.
func (d disposal) reworks(tx AuditStore, ids []string) (map[string]int, error) {
	if d.disposition != Rework && d.disposition != Repair {
		return map[string]int{}, nil
	}
	return tx.Reworks(ids)
}

// judge returns the changes of the units, or the first refusal. begun has the numbers of their earlier reworks; nil to check them only.
func (d disposal) judge(
	on map[string]*NonconformingUnit, ids []string, cards map[string]card.Card, begun map[string]int, now ident.Timestamp,
) (changes []card.Change, err error) {
	for _, id := range ids {
		if on[id] == nil {
			return nil, refusal.Refuse(NotOnReport, id, d.report)
		}
		change, err := d.rule(*on[id], cards[id], begun[id], now)
		if err != nil {
			return nil, err
		}
		if len(change.Audit) > 0 {
			changes = append(changes, change)
		}
	}
	return changes, nil
}

// rule returns the change of one unit.
func (d disposal) rule(unit NonconformingUnit, routeCard card.Card, reworks int, now ident.Timestamp) (card.Change, error) {
	if err := unit.refuseDisposition(routeCard.Serial.Status); err != nil {
		return card.Change{}, err
	}
	change, err := d.carryOut(routeCard, reworks, now)
	if err != nil {
		return card.Change{}, Refusal{SerialID: unit.SerialID, Err: err}.decisive()
	}
	return change, nil
}

// carryOut applies the decision to a unit under the rules of the single operation. reworks is how often the unit was sent back before.
func (d disposal) carryOut(unit card.Card, reworks int, now ident.Timestamp) (card.Change, error) {
	if err := card.CheckCard(unit); err != nil {
		return card.Change{}, err
	}
	switch d.disposition {
	case ScrapIt: // the unit stays on hold, so that it cannot advance if the scrap is undone
		if err := card.RefuseScrap(unit); err != nil {
			return card.Change{}, err
		}
		return card.ScrapAt(unit, card.Scrap{Reason: d.scrap, Explanation: d.explanation(), By: d.by}, now), nil
	case UseAsIs:
		return d.release(unit, now), nil
	case Rework, Repair:
		released := d.release(unit, now)
		unit = unit.Apply(released)
		if err := cmp.Or(card.RefuseRework(unit), card.RefuseStopped(unit), card.CheckReworkTarget(unit, d.target)); err != nil {
			return card.Change{}, err
		}
		moved := card.SendBack(unit, card.Rework{
			Target: int(d.target), Reason: d.reason, NonconformanceID: d.report, By: d.by, Pass: nextPass(reworks),
		}, now)
		moved.Released = released.Released
		moved.Audit = slices.Concat(released.Audit, moved.Audit)
		return moved, nil
	default:
		return card.Change{}, nil
	}
}

// release releases the unit's holds that belong to the report.
func (d disposal) release(unit card.Card, now ident.Timestamp) card.Change {
	return card.ReleaseFrom(unit, card.HoldsOf(unit, d.report), card.Hold{ReleasedBy: d.by, ReleaseReason: d.reason}, now)
}

// unit returns the decision as stored for each unit.
func (d disposal) unit(now ident.Timestamp) NonconformingUnit {
	return NonconformingUnit{
		Disposition: d.disposition, DecidedBy: d.by, DecidedAt: now, Reason: d.reason, Concession: d.concession,
	}
}

func (d disposal) entry(prefix ident.Prefix, report Nonconformance, now ident.Timestamp) trail.Entry {
	told := struct {
		NonconformanceID string           `json:"nonconformanceId"`
		Disposition      Disposition      `json:"disposition"`
		Reason           string           `json:"reason"`
		Concession       string           `json:"concession,omitempty"`
		TargetStepIndex  *int64           `json:"targetStepIndex,omitempty"`
		ScrapReason      card.ScrapReason `json:"scrapReason,omitempty"`
		Ranges           []SerialSpan     `json:"ranges"`
	}{
		NonconformanceID: d.report, Disposition: d.disposition, Reason: d.reason, Concession: d.concession,
		Ranges: SpansOf(prefix, d.serialIDs),
	}
	switch d.disposition {
	case Rework, Repair:
		told.TargetStepIndex = &d.target
	case ScrapIt:
		told.ScrapReason = d.scrap
	default:
	}
	return report.entry(ActionNonconformanceDispositioned, d.by, now, told)
}

// TakenBack records who undid a disposition, when, and why.
type TakenBack struct {
	By     string          `json:"by"`
	At     ident.Timestamp `json:"at"`
	Reason string          `json:"reason,omitempty"`
}

// takenBackStore has the database functions for finding undone dispositions.
type takenBackStore interface {
	AuditStore
	NonconformanceStore
}

// TellTakenBack sets TakenBack of the units of a report whose scrap was undone, so that their disposition no longer counts.
func TellTakenBack(tx takenBackStore, report *Nonconformance) error {
	conditional := false
	for i := range report.Units {
		conditional = conditional || report.Units[i].Disposition.Conditional()
	}
	if !conditional {
		return nil
	}
	standings, err := tx.UnitStandings(report.ID)
	if err != nil {
		return err
	}
	on := report.UnitsByID()
	for i := range standings {
		if err := on[standings[i].SerialID].TellTakenBack(tx, standings[i].Status); err != nil {
			return err
		}
	}
	return nil
}

// TellTakenBack sets TakenBack of a unit with this status if its disposition no longer counts.
func (u *NonconformingUnit) TellTakenBack(tx AuditStore, status card.SerialStatus) error {
	if u.Disposition == "" || u.Decided(status) {
		return nil
	}
	scraps := map[string]bool{} // the entries of the scrap that carried out the disposition
	for entry, err := range tx.AuditOfSerial(u.SerialID) {
		if err != nil {
			return err
		}
		switch entry.Action { //nolint:exhaustive // the other actions neither carry a disposition out nor take it back
		case card.ActionSerialScrapped:
			if entry.Timestamp == u.DecidedAt && entry.UserID == u.DecidedBy {
				scraps[entry.ID] = true
			}
		case replay.ActionChangeUndone:
			var told replay.UndoneMetadata
			if trail.ReadMetadata(&entry, &told) == nil && scraps[told.EntryID] { // verification reports unreadable entries
				u.TakenBack = TakenBack{By: entry.UserID, At: entry.Timestamp, Reason: told.Reason}
			}
		}
	}
	return nil
}

// readReport reads a report with its units, as the interface shows it.
func readReport(tx takenBackStore, id string) (Nonconformance, error) {
	report, err := tx.Nonconformance(id)
	if err != nil {
		return report, err
	}
	err = TellTakenBack(tx, &report)
	return report, err
}
