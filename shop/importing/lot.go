package importing

import (
	"errors"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// LotInput is a row of a lots file.
type LotInput struct {
	ID input.TextInput `field:"id"`
	shop.CreateLotInput
	Reason input.TextInput `field:"reason"` // the reason for changing a lot that was used
}

func (im *run) lot(in LotInput) (outcome rowOutcome, err error) {
	in.UserID = im.actor(in.UserID)
	if in.Quantity, err = im.decimals.Written("quantity", in.Quantity); err != nil {
		return outcome, err
	}
	id, err := im.known(shop.RecordLot, in.ID, in.ExternalID)
	if err != nil {
		return outcome, err
	}
	if id == "" {
		if id, err = im.numberedLot(&in); err != nil {
			return outcome, err
		}
		if id != "" && input.Unfilled(in.ExternalID) {
			in.ExternalInput = shop.ExternalInput{} // the lot was found by its number; its external id stays
		}
	}
	if id != "" {
		return im.changeLot(id, &in)
	}
	im.creating = true
	_, err = im.service.CreateLot(im.ctx, in.CreateLotInput)
	return rowCreated, err
}

// numberedLot returns the identifier of the lot with the number, part and supplier of a row, or "".
func (im *run) numberedLot(in *LotInput) (string, error) {
	number := plainText(in.LotNumber)
	if number == "" {
		return "", nil
	}
	part := plainText(in.PartNumber)
	if part == "" {
		part = plainText(in.Material)
	}
	repeated, err := im.claimText("lotNumber", shop.RecordLot, strings.Join([]string{number, part, plainText(in.Supplier)}, "\n"))
	if err != nil {
		return "", err
	}
	found, err := im.lotsWith(in)
	if err != nil {
		return "", err
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
	default:
		return "", refusal.RefuseField(LotOfSeveral, "lotNumber", len(found), number)
	}
	if !repeated {
		err = im.claimRecord("lotNumber", shop.RecordLot, found[0].ID)
	}
	return found[0].ID, err
}

// lotsWith returns the lots that have the number of a row, and its part and its supplier if the file has these columns.
func (im *run) lotsWith(in *LotInput) ([]shop.Lot, error) {
	found, err := im.tx.LotsNumbered(plainText(in.LotNumber))
	return slices.DeleteFunc(found, func(lot shop.Lot) bool {
		differs := lot.LotNumber != plainText(in.LotNumber) || in.Supplier.Present() && lot.Supplier != plainText(in.Supplier)
		switch {
		case differs:
			return true
		case in.PartNumber.Present() && (lot.PartNumber != "" || plainText(in.PartNumber) != ""):
			return lot.PartNumber != plainText(in.PartNumber)
		case in.Material.Present():
			return lot.Material != plainText(in.Material)
		}
		return false
	}), err
}

// plainText returns a text without blanks at its ends; "" if the field has none.
func plainText(in input.TextInput) string {
	if in.State != input.StateGiven {
		return ""
	}
	return strings.TrimSpace(in.Value)
}

// changeLot sets the fields of a lot to the row's. The other fields have operations of their own, so the row must agree with them.
func (im *run) changeLot(id string, in *LotInput) (outcome rowOutcome, err error) {
	before, err := im.tx.Lot(id)
	if err != nil {
		return outcome, shop.OrNotFound(err, shop.NameLot, id)
	}
	if err := im.sameBooking(&before, in); err != nil {
		return outcome, err
	}
	if input.Unfilled(in.LotNumber) {
		in.LotNumber = input.TextInput{} // the service gave the number
	}
	change := shop.UpdateLotInput{LotFieldsInput: in.LotFieldsInput, Reason: in.Reason, UserID: in.UserID}
	after, err := change.Apply(im.tx.SerialPrefix(), before)
	if err != nil || after.LotFields == before.LotFields && after.ExternalID == before.ExternalID {
		return outcome, err
	}
	if err := im.may(shop.OpUpdateLot); err != nil {
		return outcome, err
	}
	_, err = im.service.UpdateLot(im.ctx, id, change)
	return rowUpdated, err
}

// sameBooking refuses a row with another quantity, unit, expiry, certificate or hold than the lot's.
func (im *run) sameBooking(lot *shop.Lot, in *LotInput) error {
	if in.Quantity.Present() && !im.saysNumber(in.Quantity, string(lot.Quantity), true) {
		return refusal.RefuseField(LotBooked, "quantity", lot.LotNumber)
	}
	for _, said := range []struct {
		field string
		in    input.TextInput
		is    string
	}{
		{"unit", in.Unit, string(lot.Unit)}, {"expiresOn", in.ExpiresOn, lot.ExpiresOn}, {"holdReason", in.HoldReason, lot.HoldReason},
	} {
		if said.in.Present() && (said.in.State == input.StateMistyped || plainText(said.in) != said.is) {
			return refusal.RefuseField(LotBooked, said.field, lot.LotNumber)
		}
	}
	if !in.CertIDs.Present() {
		return nil
	}
	certificates := []string(nil)
	if in.CertIDs.Supplied() {
		var err error
		if certificates, err = input.Texts("certIds", in.CertIDs); err != nil {
			return err
		}
	}
	for _, pair := range [][2][]string{{certificates, lot.CertIDs}, {lot.CertIDs, certificates}} {
		for _, id := range pair[0] {
			if !slices.Contains(pair[1], id) {
				return refusal.RefuseField(LotBooked, "certIds", lot.LotNumber)
			}
		}
	}
	return nil
}

// lotCalled returns the identifier of the lot of a row with lotId or lotNumber, or "" if the row has neither.
func (im *run) lotCalled(id, number input.TextInput) (string, error) {
	named, err := input.OptionalWithin("lotId", id, input.NameLimit)
	if err != nil {
		return "", err
	}
	called, err := input.OptionalWithin("lotNumber", number, input.NameLimit)
	named, called = strings.TrimSpace(named), strings.TrimSpace(called)
	if err != nil || called == "" {
		return named, err
	}
	if named != "" {
		lot, err := im.tx.Lot(named)
		if err == nil && lot.LotNumber != called {
			err = refusal.RefuseField(NamesAnother, "lotNumber", called, named)
		}
		if errors.Is(err, shop.ErrNoRecord) {
			err = refusal.RefuseField(refusal.NoRecord, "lotId", shop.NameLot, named)
		}
		return named, err
	}
	found, err := im.tx.LotsNumbered(called)
	found = slices.DeleteFunc(found, func(lot shop.Lot) bool { return lot.LotNumber != called })
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", refusal.RefuseField(refusal.NoRecord, "lotNumber", shop.NameLot, called)
	case len(found) > 1:
		return "", refusal.RefuseField(LotOfSeveral, "lotNumber", len(found), called)
	}
	return found[0].ID, nil
}

// Lot implements LotStore. The lot is as earlier parts of the trial left it.
func (tx *triedTx) Lot(id string) (shop.Lot, error) {
	lot, err := tx.Tx.Lot(id)
	if earlier, changed := tx.lotsBefore[id]; err == nil && changed && tx.lots[id].ID == "" {
		return earlier, nil
	}
	return lot, err
}

// UpdateLot implements LotStore. It also records the lot for later parts of the trial.
func (tx *triedTx) UpdateLot(lot shop.Lot) error {
	tx.lots[lot.ID] = lot
	return tx.Tx.UpdateLot(lot)
}

// Reasons for refusing a row with a lot.
var (
	LotBooked    = refusal.NewReason(refusal.Invalid, "lot_booked", "{field} is not what lot {lotNumber} has, and an import does not change it")
	LotOfSeveral = refusal.NewReason(refusal.Invalid, "lot_of_several", "{field} is the number of {count} lots: {number}. Name the lot by id")
)
