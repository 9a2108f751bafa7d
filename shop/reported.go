package shop

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// NonconformingUnit is a serial on a report, with its disposition.
type NonconformingUnit struct { //nolint:recvcheck // TellTakenBack modifies it; the rules receive a copy
	SerialID    string          `json:"serialId"`
	Disposition Disposition     `json:"disposition,omitempty"`
	DecidedBy   string          `json:"decidedBy,omitempty"`
	DecidedAt   ident.Timestamp `json:"decidedAt,omitzero"`
	Reason      string          `json:"reason,omitempty"`
	Concession  string          `json:"concession,omitempty"`
	TakenBack   TakenBack       `json:"takenBack,omitzero"` // of a disposition that no longer counts; see TellTakenBack
	FoundAt     int             `json:"-"`                  // index in the path of the step where the defect was found
}

// addition is a validated request to add units to a report.
type addition struct {
	selection Selection
	none      bool // the request has no selection
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

// AddToNonconformance adds units to a report. Units that are on the report already stay unchanged.
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

// eachThousand looks up the cards of serials, up to a thousand at a time.
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

// refuse returns the refusal if a unit cannot be added to a report. It checks all units before anything is written, so that a refused
// request costs no write.
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

// putOnReport adds serials to a report and, if requested, holds them. The serials must not be on the report yet.
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

// FoundAt returns the index in the path of the step where a unit's defect was found: the step of the report, or the unit's position if
// its path does not have that step.
func FoundAt(card card.Card, stepID string) int {
	if place := card.Path.StepIndex(stepID); place >= 0 {
		return place
	}
	return card.Serial.Position
}

// Open returns why a unit with this status and position keeps its report open; nil if it does not.
func (u NonconformingUnit) Open(status card.SerialStatus, position int) error {
	switch {
	case status == card.Scrapped:
		return nil // scrapped by a disposition or otherwise: no decision is left
	case !u.Decided(status):
		return refusal.Refuse(Undecided, u.SerialID)
	case u.Disposition != Rework && u.Disposition != Repair:
		return nil
	case status == card.Completed || position > u.FoundAt:
		return nil
	}
	return refusal.Refuse(StillReworked, u.SerialID)
}

// Decided reports whether a unit has a disposition. A scrap that was undone does not count.
func (u NonconformingUnit) Decided(status card.SerialStatus) bool {
	return u.Disposition != "" && (!u.Disposition.Conditional() || status == card.Scrapped)
}

// Waits reports whether a unit with this status awaits a disposition.
func (u NonconformingUnit) Waits(status card.SerialStatus) bool {
	return !u.Decided(status) && status != card.Scrapped
}

// ReleasedUndecided reports whether a hold of the report was released without a disposition: before there was one, or after the last one
// was undone. A disposition that releases holds has the same timestamp as the release.
func (u NonconformingUnit) ReleasedUndecided(hold card.Hold, status card.SerialStatus) bool {
	return !hold.Open() && (!u.Decided(status) || hold.ReleasedAt < u.DecidedAt)
}

// refuseDisposition returns why a unit can no longer get a disposition.
func (u NonconformingUnit) refuseDisposition(status card.SerialStatus) error {
	switch {
	case u.Waits(status):
		return nil
	case u.Decided(status):
		return refusal.Refuse(DecidedBefore, u.SerialID)
	}
	return refusal.Refuse(DecideScrapped, u.SerialID)
}

// UnitsByID indexes the units of a report by their serial.
func (n *Nonconformance) UnitsByID() map[string]*NonconformingUnit {
	units := make(map[string]*NonconformingUnit, len(n.Units))
	for i := range n.Units {
		units[n.Units[i].SerialID] = &n.Units[i]
	}
	return units
}

// SerialsOf returns the identifiers of the units' serials.
func SerialsOf(units []NonconformingUnit) []string {
	ids := make([]string, len(units))
	for i := range units {
		ids[i] = units[i].SerialID
	}
	return ids
}

// SerialSpan is a range of serials in the trail, both ends included, like the ranges in requests.
type SerialSpan struct {
	First string `json:"first"`
	Last  string `json:"last"`
}

// spansOf combines serials into as few ranges as possible, in the order of their numbers. It includes all serials in a range.
func spansOf(ids []string) []SerialSpan {
	numbers := make([]int64, 0, len(ids))
	for _, id := range ids {
		if number, ok := ident.ParseSerialID(id); ok { // other texts do not exist as serials, and are refused
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

// UnitStanding is the status and position of a unit on a report.
type UnitStanding struct {
	SerialID string
	PathID   string
	Status   card.SerialStatus
	Position int
}
