package views

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// ComponentReader reads components for pages.
type ComponentReader interface {
	// ComponentsOfLot returns the components from a lot, newest first.
	ComponentsOfLot(lotID string, limit int) ([]card.Component, error)
}

// ComponentsShown is the maximum number of components, or of units that contain a lot, that a page shows of each kind.
const ComponentsShown = 100

// InstalledPart is a component with the names of what was installed.
type InstalledPart struct {
	card.Component
	LotNumber string // number of the lot from which a component was taken
	Part      string // the part number or material of a lot; the part number or job of a unit
}

// Installed lists the components of a unit, newest first. Each list has at most ComponentsShown parts.
type Installed struct {
	Open, Past         []InstalledPart
	MoreOpen, MorePast int // the number of parts that are not in the lists
}

// installed returns the components of a unit.
func installed(tx Reader, serialID string) (all Installed, err error) {
	found, err := tx.ComponentsOfSerial(serialID)
	if err != nil {
		return all, err
	}
	for _, one := range slices.Backward(found) {
		list, more := &all.Open, &all.MoreOpen
		if !one.Open() {
			list, more = &all.Past, &all.MorePast
		}
		if len(*list) == ComponentsShown {
			*more++
			continue
		}
		*list = append(*list, InstalledPart{Component: one})
	}
	return all, errors.Join(nameParts(tx, all.Open), nameParts(tx, all.Past))
}

// nameParts adds the names to components.
func nameParts(tx Reader, parts []InstalledPart) error {
	var inside, from []string
	for i := range parts {
		if parts[i].LotID == "" {
			inside = append(inside, parts[i].ComponentSerialID)
		} else {
			from = append(from, parts[i].LotID)
		}
	}
	units, err := calledUnits(tx, inside)
	if err != nil {
		return err
	}
	made := make(map[string]string, len(units))
	for i := range units {
		made[units[i].ID] = units[i].JobName
	}
	lots := make(map[string]shop.Lot, len(from))
	if len(from) > 0 {
		found, err := tx.LotsByID(from)
		if err != nil {
			return err
		}
		for _, lot := range found {
			lots[lot.ID] = lot
		}
	}
	for i := range parts {
		part := &parts[i]
		if part.LotID == "" {
			part.Part = made[part.ComponentSerialID]
		} else {
			lot, known := lots[part.LotID]
			if !known {
				return fmt.Errorf("the lot of %s: %w", part.ID, shop.ErrNoRecord)
			}
			part.LotNumber, part.Part = lot.LotNumber, lot.Part()
		}
	}
	return nil
}

// UnitsWithLot returns the newest components from a lot, at most ComponentsShown. more reports whether there are more components.
func (v *Views) UnitsWithLot(ctx context.Context, lotID string) (found []card.Component, more bool, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		found, err = tx.ComponentsOfLot(lotID, ComponentsShown+1)
		return err
	})
	if more = len(found) > ComponentsShown; more {
		found = found[:ComponentsShown]
	}
	return found, more, err
}

// CalledParts are the units and the lots that a code identifies.
type CalledParts struct {
	Units []CalledUnit
	Lots  []shop.Lot // without voided ones, unless the code is an identifier of Routecard
	// SerialNumber is the serial number in a code that has a lot as well: the number of a purchased part of that lot.
	SerialNumber string
}

// PartsCalled returns the units and lots that a code identifies. A code with a serial number that a unit has identifies no lot.
func (v *Views) PartsCalled(ctx context.Context, code string) (parts CalledParts, err error) {
	if parts.Units, err = v.UnitsCalled(ctx, code); err != nil {
		return parts, err
	}
	marked := len(parts.Units) > 0
	err = v.store.Look(ctx, func(tx Reader) error {
		parts.Lots = nil
		names := scancode.Names(tx.SerialPrefix(), code)
		for i := range names {
			read := &names[i]
			if marked && read.Kind == scancode.Marked && read.Mark.SerialNumber != "" {
				continue
			}
			lots, err := lotsRead(tx, read)
			if err != nil {
				return err
			}
			for _, lot := range lots {
				if !slices.ContainsFunc(parts.Lots, func(other shop.Lot) bool { return other.ID == lot.ID }) {
					parts.Lots = append(parts.Lots, lot)
				}
			}
			if len(lots) > 0 && read.Kind == scancode.Marked {
				parts.SerialNumber = read.Mark.SerialNumber
			}
		}
		return nil
	})
	for i := range parts.Lots {
		parts.Lots[i] = parts.Lots[i].At(v.shop.Today())
	}
	return parts, err
}

// lotsRead returns the lots that a reading of a code identifies: by identifier, external identifier, lot number, heat number or code. A
// mark with a part number identifies only lots of that part.
func lotsRead(tx Reader, read *scancode.Reading) ([]shop.Lot, error) {
	switch {
	case read.Kind == scancode.Ours && read.Record == shop.RecordLot:
		lot, err := tx.Lot(read.ID)
		return lotFound(lot, err)
	case read.Kind == scancode.Marked && read.Mark.Lot != "":
		lots, err := tx.LotsNumbered(read.Mark.Lot)
		return slices.DeleteFunc(lots, func(lot shop.Lot) bool {
			return lot.PartNumber != "" && read.Mark.PartNumber != "" && !strings.EqualFold(lot.PartNumber, read.Mark.PartNumber)
		}), err
	case read.Kind == scancode.Text:
		lots, err := lotsCalled(tx, read.Text)
		if err != nil {
			return nil, err
		}
		id, err := shop.FindOutside(tx, shop.RecordLot, strings.TrimPrefix(read.Text, shop.ExternalMark))
		if err != nil {
			return lots, shop.IgnoreNoRecord(err)
		}
		lot, err := tx.Lot(id)
		return append(lots, lot), err
	}
	return nil, nil
}

// lotsCalled returns the lots with a lot number, a heat number or a code, in any case, that are not voided, each once.
func lotsCalled(tx Reader, text string) ([]shop.Lot, error) {
	found, err := tx.LotsNumbered(text)
	if err != nil || text == "" {
		return found, err
	}
	const most = 20
	heats, err := tx.Lots(shop.LotQuery{HeatNumber: text, Limit: most})
	if err != nil {
		return nil, err
	}
	coded, err := tx.LotsCoded(text)
	for _, lot := range append(heats, coded...) {
		if !lot.Voided() && !slices.ContainsFunc(found, func(one shop.Lot) bool { return one.ID == lot.ID }) {
			found = append(found, lot)
		}
	}
	return found, err
}

func lotFound(lot shop.Lot, err error) ([]shop.Lot, error) {
	if err != nil {
		return nil, shop.IgnoreNoRecord(err)
	}
	return []shop.Lot{lot}, nil
}

// ComponentQuery narrows an export of components. The zero ComponentQuery finds all.
type ComponentQuery struct {
	SerialID  string `query:"serialId"`  // of the unit that contains the component
	LotID     string `query:"lotId"`     // of the lot that the component is from
	Installed bool   `query:"installed"` // only components that are neither removed nor voided
}

// exportComponents yields the components that a query finds, oldest first.
func (v *Views) exportComponents(ctx context.Context, query ComponentQuery) iter.Seq2[card.Component, error] {
	return shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[card.Component, error] {
		return func(yield func(card.Component, error) bool) {
			for c, err := range componentsFound(tx, query) {
				found := (query.LotID == "" || c.LotID == query.LotID) && (!query.Installed || c.Open())
				if (err != nil || found) && !yield(c, err) {
					return
				}
			}
		}
	})
}

// componentsFound yields the components among which those of a query are, oldest first.
func componentsFound(tx Reader, query ComponentQuery) iter.Seq2[card.Component, error] {
	var found []card.Component
	var err error
	switch {
	case query.SerialID != "":
		found, err = tx.ComponentsOfSerial(query.SerialID)
	case query.LotID != "":
		found, err = tx.ComponentsOfLot(query.LotID, math.MaxInt32)
		slices.Reverse(found)
	default:
		return tx.AllComponents()
	}
	return func(yield func(card.Component, error) bool) {
		if err != nil {
			yield(card.Component{}, err)
			return
		}
		for _, c := range found {
			if !yield(c, nil) {
				return
			}
		}
	}
}
