package site

import (
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// TypedPart is a unit or a lot that a user typed or scanned in order to install it.
type TypedPart struct {
	UnitID       string
	Lot          shop.Lot // the zero Lot for a unit
	SerialNumber string   // the purchased part's serial number, if the scanned code contains both a lot and a serial number
}

// PartTyped returns the unit or the lot that a user typed or scanned: any code of a unit, or the identifier, the number or the external
// identifier of a lot, in any code. A text that matches nothing is refused. A text that matches several parts is refused with a list of
// them. If several units have the number but only one is not scrapped, that one is meant.
func PartTyped(v *Visit, typed string) (part TypedPart, err error) {
	typed = bracketed(strings.TrimSpace(typed))
	found, err := v.Views.PartsCalled(v.R.Context(), typed)
	if err != nil {
		return part, err
	}
	unit, _, only := views.MeantUnit(found.Units)
	switch {
	case len(found.Units)+len(found.Lots) == 0:
		if scancode.OtherPlant(v.SerialPrefix(), typed) {
			return part, refusal.Refuse(wording.OtherPlant, Visible(typed), v.SerialPrefix().Mark())
		}
		return part, refusal.Refuse(wording.NoPart, Visible(typed))
	case len(found.Lots) == 0 && !only:
		return part, unclearUnits(v, typed, found.Units)
	case len(found.Units)+len(found.Lots) == 1 && only || len(found.Lots) == 0:
		return TypedPart{UnitID: unit.ID}, nil
	case len(found.Units) == 0 && len(found.Lots) == 1:
		return TypedPart{Lot: found.Lots[0], SerialNumber: found.SerialNumber}, nil
	}
	return part, refusal.Refuse(wording.ManyParts, Visible(typed), partsToChoose(v, found), v.SerialPrefix())
}

// LotTyped returns the identifier of the lot that a user typed or scanned, see PartTyped. It is missing if the user typed nothing.
func LotTyped(v *Visit, typed string) (id input.TextInput, err error) {
	if strings.TrimSpace(typed) == "" {
		return id, nil
	}
	part, err := PartTyped(v, typed)
	switch {
	case err != nil:
		return id, err
	case part.Lot.ID == "":
		return id, refusal.Refuse(wording.NotALot, Visible(typed))
	}
	return input.Given(part.Lot.ID), nil
}

// partsToChoose lists the units and lots that a code can mean. Typing the identifier in brackets selects a lot.
func partsToChoose(v *Visit, found views.CalledParts) string {
	const shown = 5
	var listed []string
	if len(found.Units) > 0 {
		listed = append(listed, unitsToChoose(v, found.Units))
	}
	for i := range found.Lots[:min(len(found.Lots), shown)] {
		lot := &found.Lots[i]
		names := trimmed(v.T("lot {lot}", "lot", lot.LotNumber), lot.Part(), lot.Supplier)
		listed = append(listed, strings.Join(names, ", ")+" ["+lot.ID+"]")
	}
	if more := len(found.Lots) - shown; more > 0 {
		listed = append(listed, v.TN(more, "{n} other", "{n} others"))
	}
	return strings.Join(listed, "; ")
}

// trimmed returns the texts that are not blank.
func trimmed(texts ...string) (kept []string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			kept = append(kept, text)
		}
	}
	return kept
}

// Fill sets the fields of an installation. It does not overwrite a serial number that was typed.
func (p TypedPart) Fill(in *shop.InstallComponentInput) {
	in.ComponentSerialID, in.LotID = input.TextInput{}, input.TextInput{}
	if p.UnitID != "" {
		in.ComponentSerialID = input.Given(p.UnitID)
	}
	if p.Lot.ID == "" {
		return
	}
	in.LotID = input.Given(p.Lot.ID)
	if p.SerialNumber != "" && input.Unfilled(in.PartSerialNumber) {
		in.PartSerialNumber = input.Given(p.SerialNumber)
	}
}
