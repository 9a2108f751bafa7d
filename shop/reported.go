package shop

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// NonconformingUnit is a serial on a report, with what was decided about it.
type NonconformingUnit struct { //nolint:recvcheck // TellTakenBack fills it in; the rules take it as it is
	SerialID    string          `json:"serialId"`
	Disposition Disposition     `json:"disposition,omitempty"`
	DecidedBy   string          `json:"decidedBy,omitempty"`
	DecidedAt   ident.Timestamp `json:"decidedAt,omitzero"`
	Reason      string          `json:"reason,omitempty"`
	Concession  string          `json:"concession,omitempty"`
	TakenBack   TakenBack       `json:"takenBack,omitzero"` // of a disposition that no longer counts; see TellTakenBack
	FoundAt     int             `json:"-"`                  // the place in its path of the step where it was found
}

// addition is a decision to put units on a report.
type addition struct {
	selection Selection
	none      bool // there is no selection
	hold      bool
	by        string
}

// AddToNonconformanceInput is the body of Add Serials to Nonconformance.
type AddToNonconformanceInput struct {
	Selection SelectionInput
	Hold      input.FlagInput `field:"hold"`
	UserID    input.TextInput `field:"userId"`
}

func (in AddToNonconformanceInput) check(caller Caller) (units addition, err error) {
	if units.selection, err = in.Selection.check(); err != nil {
		return units, err
	}
	if units.hold, err = input.OptionalFlag("hold", in.Hold); err != nil {
		return units, err
	}
	units.by, err = requiredUser(caller, in.UserID)
	return units, err
}

// AddToNonconformance puts more units on a report. Those that are on it already are left as they are.
func (s *Service) AddToNonconformance(ctx context.Context, id string, in AddToNonconformanceInput) (Nonconformance, error) {
	var report Nonconformance
	if err := in.Selection.takeMemory(ctx); err != nil {
		return report, err
	}
	err := s.Commit(ctx, &report, func(tx Tx) (err error) {
		if report, err = findOpenNonconformance(tx, id); err != nil {
			return err
		}
		units, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		ids, err := units.selection.resolve(tx)
		if err != nil {
			return err
		}
		on := report.UnitsByID()
		ids = slices.DeleteFunc(ids, func(serialID string) bool { return on[serialID] != nil })
		if len(ids) == 0 {
			return TellTakenBack(tx, &report)
		}
		if len(report.Units)+len(ids) > selectionLimit {
			return errTooMany()
		}
		if err := tx.LockSerials(ids); err != nil {
			return err
		}
		if err := units.refuse(ctx, tx, ids); err != nil {
			return err
		}
		now := s.Now()
		if err := tx.AppendAudit(report.entry(ActionNonconformanceExtended, units.by, now, struct {
			NonconformanceID string       `json:"nonconformanceId"`
			Ranges           []SerialSpan `json:"ranges"`
		}{id, spansOf(ids)})); err != nil {
			return err
		}
		if err := s.putOnReport(ctx, tx, report, ids, units, now); err != nil {
			return err
		}
		report, err = readReport(tx, id)
		return err
	})
	return report, err
}

// eachThousand looks the cards of serials up, a thousand at a time.
func eachThousand(
	ctx context.Context, tx CardStore, ids []string, visit func(chunk []string, cards map[string]card.Card) error,
) error {
	for chunk := range slices.Chunk(ids, ChunkSize) {
		if err := ctx.Err(); err != nil {
			return err
		}
		cards, err := tx.RouteCards(chunk)
		if err != nil {
			return err
		}
		if err := visit(chunk, cards); err != nil {
			return err
		}
	}
	return nil
}

// refuse says why units cannot be put on a report. All are judged before anything is written, so that a request that is
// refused costs no write.
func (a addition) refuse(ctx context.Context, tx CardStore, ids []string) error {
	return eachThousand(ctx, tx, ids, func(chunk []string, cards map[string]card.Card) error {
		for _, id := range chunk {
			unit, exists := cards[id]
			if !exists {
				return NameSerial.NotFound(id)
			}
			if err := card.CheckCard(unit); err != nil {
				return err
			}
			if err := card.RefusePlacingHold(unit); err != nil && a.hold {
				return Refusal{SerialID: id, Err: err}.decisive()
			}
		}
		return nil
	})
}

// putOnReport puts serials on a report that are not on it yet, and on hold if that is asked for.
func (s *Service) putOnReport(
	ctx context.Context, tx interface {
		BatchStore
		CardStore
		NonconformanceStore
	}, report Nonconformance, ids []string, units addition, now ident.Timestamp,
) error {
	return eachThousand(ctx, tx, ids, func(chunk []string, cards map[string]card.Card) error {
		added := make([]NonconformingUnit, len(chunk))
		var changes []card.Change
		for i, id := range chunk {
			unit := cards[id]
			added[i] = NonconformingUnit{SerialID: id, FoundAt: FoundAt(unit, report.StepID)}
			if units.hold {
				changes = append(changes, card.HoldAt(unit, card.Hold{
					ID: s.NewID(prefixHold), Reason: report.HoldReason(), NonconformanceID: report.ID, PlacedBy: units.by,
				}, now))
			}
		}
		if err := tx.InsertNonconformingUnits(report.ID, added); err != nil {
			return err
		}
		return tx.ChangeCards(changes)
	})
}

// FoundAt is the place of the step where a unit was found to be wrong: the step of the report, and for a unit whose path
// does not have that, the one where it stands.
func FoundAt(card card.Card, stepID string) int {
	if place := card.Path.StepIndex(stepID); place >= 0 {
		return place
	}
	return card.Serial.Position
}

// Open says why a report cannot be closed yet because of a unit that stands there, nil when the unit does not keep it open.
func (u NonconformingUnit) Open(status card.SerialStatus, position int) error {
	switch {
	case status == card.Scrapped:
		return nil // whoever did it, nothing is left to be decided
	case !u.Decided(status):
		return refusal.Refuse(Undecided, u.SerialID)
	case u.Disposition != Rework && u.Disposition != Repair:
		return nil
	case status == card.Completed || position > u.FoundAt:
		return nil
	}
	return refusal.Refuse(StillReworked, u.SerialID)
}

// Decided reports whether a unit has a disposition. A scrap that was taken back is none any more.
func (u NonconformingUnit) Decided(status card.SerialStatus) bool {
	return u.Disposition != "" && (!u.Disposition.Conditional() || status == card.Scrapped)
}

// Waits reports whether somebody has to decide about a unit that has this status.
func (u NonconformingUnit) Waits(status card.SerialStatus) bool {
	return !u.Decided(status) && status != card.Scrapped
}

// ReleasedUndecided reports whether a hold of the report on a unit that has this status was released without a decision: before
// there was one, or after the last one was taken back. A decision that releases holds does so at its own time.
func (u NonconformingUnit) ReleasedUndecided(hold card.Hold, status card.SerialStatus) bool {
	return !hold.Open() && (!u.Decided(status) || hold.ReleasedAt < u.DecidedAt)
}

// refuseDisposition says why nobody can decide about a unit any more.
func (u NonconformingUnit) refuseDisposition(status card.SerialStatus) error {
	switch {
	case u.Waits(status):
		return nil
	case u.Decided(status):
		return refusal.Refuse(DecidedBefore, u.SerialID)
	}
	return refusal.Refuse(DecideScrapped, u.SerialID)
}

// UnitsByID returns the units of a report by the identifiers of their serials.
func (n *Nonconformance) UnitsByID() map[string]*NonconformingUnit {
	units := make(map[string]*NonconformingUnit, len(n.Units))
	for i := range n.Units {
		units[n.Units[i].SerialID] = &n.Units[i]
	}
	return units
}

// SerialsOf returns the identifiers of the serials of units.
func SerialsOf(units []NonconformingUnit) []string {
	ids := make([]string, len(units))
	for i := range units {
		ids[i] = units[i].SerialID
	}
	return ids
}

// SerialSpan is a range of serials in the trail, both ends included, as requests select them.
type SerialSpan struct {
	First string `json:"first"`
	Last  string `json:"last"`
}

// spansOf tells of serials as few ranges, in the order of their numbers. Nothing between the ends of a range is missing.
func spansOf(ids []string) []SerialSpan {
	numbers := make([]int64, 0, len(ids))
	for _, id := range ids {
		if number, ok := ident.ParseSerialID(id); ok { // others do not exist, and are refused
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	spans := []SerialSpan{}
	for i := 0; i < len(numbers); {
		first := i
		i++
		for i < len(numbers) && numbers[i] <= numbers[i-1]+1 {
			i++
		}
		spans = append(spans, SerialSpan{ident.SerialID(numbers[first]), ident.SerialID(numbers[i-1])})
	}
	return spans
}

// UnitStanding is where a unit of a report stands.
type UnitStanding struct {
	SerialID string
	PathID   string
	Status   card.SerialStatus
	Position int
}
