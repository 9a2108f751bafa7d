package shop

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// HoldSerialInput is the body of Hold Serial.
type HoldSerialInput struct {
	Reason           input.TextInput `field:"reason"`
	NonconformanceID input.TextInput `field:"nonconformanceId"`
	UserID           input.TextInput `field:"userId"`
}

func (in HoldSerialInput) check(caller Caller) (hold card.Hold, err error) {
	if hold.Reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return hold, err
	}
	if hold.NonconformanceID, err = input.OptionalWithin("nonconformanceId", in.NonconformanceID, input.NameLimit); err != nil {
		return hold, err
	}
	hold.PlacedBy, err = requiredUser(caller, in.UserID)
	return hold, err
}

// rule returns the rule that places a hold on one serial for the caller's request.
func (in HoldSerialInput) rule(newID func(prefix string) string) func(Caller) cardRule {
	return func(caller Caller) cardRule {
		return func(unit card.Card, now ident.Timestamp) (card.Change, error) {
			if err := card.RefusePlacingHold(unit); err != nil {
				return card.Change{}, err
			}
			hold, err := in.check(caller)
			if err != nil {
				return card.Change{}, err
			}
			hold.ID = newID(prefixHold)
			return card.HoldAt(unit, hold, now), nil
		}
	}
}

// HoldSerial places a hold on a serial, in addition to any other holds.
func (s *Service) HoldSerial(ctx context.Context, id string, in HoldSerialInput) (card.Hold, error) {
	var placed card.Hold
	rule, unknown := in.rule(s.NewID)(CallerOf(ctx)), s.unknownReport(ctx, in.NonconformanceID)
	err := s.changeCard(ctx, id, NameSerial, &placed, func(card card.Card, now ident.Timestamp) (card.Change, error) {
		change, err := rule(card, now)
		if err == nil {
			placed = change.Held[0]
			err = unknown
		}
		return change, err
	})
	return placed, err
}

// BatchHoldInput is the body of Batch Hold.
type BatchHoldInput struct {
	BatchInput
	Recall RecallInput     `field:"recall"`
	Lots   input.FlagInput `field:"lots"` // also hold the lots that the recall names
	HoldSerialInput
}

// LotsUnused is the reason to refuse lots in a request without a recall.
var LotsUnused = refusal.NewReason(refusal.Invalid, "lots_unused", "lots is for recall")

// BatchHold places a hold on every selected serial, as HoldSerial does. It can also place a hold on every lot of a recall that is not on
// hold.
func (s *Service) BatchHold(ctx context.Context, in BatchHoldInput) (BatchResult, error) {
	in.Selection.Recall = in.Recall
	m := many{in.BatchInput, NameSerial, nil, in.rule(s.NewID), nil, nil}
	m.fields = func(caller Caller) error {
		lots, err := input.OptionalFlag("lots", in.Lots)
		if err == nil && lots && in.Recall.Missing() {
			err = refusal.Refuse(LotsUnused)
		}
		if err != nil {
			return err
		}
		asked, err := in.check(caller)
		if err != nil {
			return err
		}
		if lots {
			m.lots = func(tx Tx, lots []genealogy.Item) error { return s.holdLots(tx, lots, asked) }
		}
		return s.unknownReport(ctx, in.NonconformanceID)
	}
	return s.changeEvery(ctx, &m)
}

// holdLots places a hold on lots. The transaction has locked them.
func (s *Service) holdLots(tx Tx, lots []genealogy.Item, asked card.Hold) error {
	now := s.Now()
	for i := range lots {
		placed := LotHold{Reason: asked.Reason, NonconformanceID: asked.NonconformanceID, PlacedBy: asked.PlacedBy}
		l := Lot{ID: lots[i].LotID, LotFields: LotFields{LotNumber: lots[i].LotNumber}}
		if err := s.placeLotHold(tx, l, &placed, now); err != nil {
			return err
		}
	}
	return nil
}

// unknownReport refuses a request with the id of an unknown report. It may run outside the transaction, because reports are never
// deleted.
func (s *Service) unknownReport(ctx context.Context, id input.TextInput) error {
	if id.Missing() || id.Typed("nonconformanceId") != nil || input.Blank(id.Value) {
		return nil
	}
	_, err := s.Nonconformance(ctx, id.Value)
	return err
}

// ReleaseSerialInput is the body of Release Serial.
type ReleaseSerialInput struct {
	HoldID input.TextInput `field:"holdId"`
	Reason input.TextInput `field:"reason"`
	UserID input.TextInput `field:"userId"`
}

func (in ReleaseSerialInput) check(caller Caller) (release card.Hold, err error) {
	if release.ID, err = input.RequiredName("holdId", in.HoldID); err != nil {
		return release, err
	}
	if release.ReleaseReason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return release, err
	}
	release.ReleasedBy, err = requiredUser(caller, in.UserID)
	return release, err
}

// ReleaseSerial releases one hold of a serial.
func (s *Service) ReleaseSerial(ctx context.Context, id string, in ReleaseSerialInput) (card.Hold, error) {
	ctx = s.signable(ctx, in, id)
	var released card.Hold
	var notOpen string
	err := s.changeCard(ctx, id, NameSerial, &released, func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		notOpen = ""
		release, err := in.check(CallerOf(ctx))
		if err != nil {
			return card.Change{}, err
		}
		index := slices.IndexFunc(unit.Holds, func(hold card.Hold) bool { return hold.ID == release.ID })
		if index < 0 {
			notOpen = release.ID
			return card.Change{}, NameHold.NotFound(release.ID)
		}
		change := card.ReleaseFrom(unit, unit.Holds[index:index+1], release, now)
		released = change.Released[0]
		return change, nil
	})
	if failure, ok := errors.AsType[*refusal.Error](err); ok && failure.Kind == refusal.NotFound && notOpen != "" {
		err = s.refuseReleased(ctx, id, notOpen, err)
	}
	return released, err
}

// BatchReleaseInput is the body of Batch Release.
type BatchReleaseInput struct {
	BatchInput
	Reason           input.TextInput `field:"reason"`
	NonconformanceID input.TextInput `field:"nonconformanceId"` // only the holds of this report; default: all
	UserID           input.TextInput `field:"userId"`
}

func (in BatchReleaseInput) check(caller Caller) (release card.Hold, err error) {
	if release.ReleaseReason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return release, err
	}
	if release.NonconformanceID, err = input.OptionalWithin("nonconformanceId", in.NonconformanceID, input.NameLimit); err != nil {
		return release, err
	}
	release.ReleasedBy, err = requiredUser(caller, in.UserID)
	return release, err
}

func (in BatchReleaseInput) checkFields(caller Caller) error {
	_, err := in.check(caller)
	return err
}

func (in BatchReleaseInput) rule(caller Caller) cardRule {
	return func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		release, err := in.check(caller)
		if err != nil {
			return card.Change{}, err
		}
		holds := card.HoldsOf(unit, release.NonconformanceID)
		if len(holds) == 0 {
			return card.Change{}, refusal.Refuse(SerialNotHeld)
		}
		return card.ReleaseFrom(unit, holds, release, now), nil
	}
}

// BatchRelease releases all open holds of every selected serial, or only the holds of one report.
func (s *Service) BatchRelease(ctx context.Context, in BatchReleaseInput) (BatchResult, error) {
	return s.changeMany(s.signable(ctx, in), in.BatchInput, NameSerial, in.checkFields, in.rule)
}

// refuseReleased reports whether a hold was already released, or the serial never had it. A released hold stays released.
func (s *Service) refuseReleased(ctx context.Context, serialID, holdID string, unknown error) error {
	return s.store.View(ctx, func(tx Reader) error {
		hold, err := tx.Hold(holdID)
		switch {
		case errors.Is(err, ErrNoRecord):
			return unknown
		case err != nil:
			return err
		case hold.SerialID != serialID:
			return unknown
		}
		return refusal.Refuse(HoldReleased)
	})
}

// HoldsOfSerial returns all holds of a serial, open and released, oldest first.
func (s *Service) HoldsOfSerial(ctx context.Context, id string) ([]card.Hold, error) {
	var holds []card.Hold
	err := s.store.View(ctx, func(tx Reader) error {
		if _, err := tx.RouteCard(id); err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		var err error
		holds, err = tx.HoldsOfSerial(id)
		return err
	})
	return holds, err
}

// HoldQuery selects holds.
type HoldQuery struct {
	Open   bool   `query:"open"`   // only holds that are not released
	Before string `query:"before"` // the id of the last hold on the previous page; "" for the first page
	Limit  int    `query:"limit"`  // 1 to SearchLimit; 0 for SearchDefault
}

// HoldPage is one page of holds, newest first. Next is the value of Before for the next page.
type HoldPage = Page[card.Hold]

// Holds returns one page of holds, newest first.
func (s *Service) Holds(ctx context.Context, query HoldQuery) (HoldPage, error) {
	var page HoldPage
	err := s.store.View(ctx, func(tx Reader) (err error) {
		page, err = PageOfHolds(tx, query)
		return err
	})
	return page, err
}

// PageOfHolds returns one page of holds, newest first.
func PageOfHolds(tx HoldStore, query HoldQuery) (page HoldPage, err error) {
	if err := input.CheckBefore(query.Before, prefixHold); err != nil {
		return page, err
	}
	limit := input.PageLimit(query.Limit)
	holds, err := tx.Holds(query.Open, query.Before, limit+1)
	return pageOf(holds, limit, func(h *card.Hold) string { return h.ID }), err
}

// HoldStore has the database functions for holds. Holds are written as part of a card.Change.
type HoldStore interface {
	Hold(id string) (card.Hold, error)
	HoldsOfSerial(serialID string) ([]card.Hold, error) // open and released, oldest first
	// Holds returns holds, newest first, whose id sorts before the given text; "" for all.
	Holds(open bool, before string, limit int) ([]card.Hold, error)
	// OpenHolds returns the open holds of serials, oldest first.
	OpenHolds(serialIDs []string) ([]card.Hold, error)
}

// Names of holds in the tables of nouns.go.
const (
	RecordHold ident.RecordKind = "hold"

	NameHold refusal.RecordName = "Hold"

	prefixHold = "hold_"

	OpHold    Operation = "hold"
	OpRelease Operation = "release"
)

// Reasons for refusing to release holds.
var (
	HoldReleased  = refusal.NewReason(refusal.Invalid, "hold_released", "Hold is already released")
	SerialNotHeld = refusal.NewReason(refusal.Invalid, "serial_not_on_hold", "Serial is not on hold")
)

var holdNoun = noun{
	records: []Record{
		{Kind: RecordHold, Names: named(NameHold), Prefix: prefixHold, Table: "hold", Compared: true},
	},
	operations: []operationRow{
		{operation: OpHold, permission: Work, subject: AboutUnit},
		{operation: OpRelease, permission: Decide, subject: AboutUnit, signed: SignRelease},
	},
	actions: []actionRow{
		{action: card.ActionSerialHeld, of: only(RecordHold)},
		{action: card.ActionSerialReleased, of: only(RecordHold), signed: SignRelease},
	},
}
