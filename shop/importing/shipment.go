package importing

import (
	"cmp"
	"errors"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// A row is a unit of a shipment. The rows of a shipment have the same externalId, or the id of a shipment that exists. A shipment that does
// not exist is created with the units of all its rows, or all of them are refused. A shipment that exists is never changed: its rows must
// agree with it.

// ShipmentInput is a row of a shipments file.
type ShipmentInput struct {
	ID           input.TextInput `field:"id"`
	Kind         input.TextInput `field:"kind"`
	Supplier     input.TextInput `field:"supplier"`
	Customer     input.TextInput `field:"customer"`
	OrderNumber  input.TextInput `field:"orderNumber"`
	ExpectedBack input.TextInput `field:"expectedBack"`
	SentOn       input.TextInput `field:"sentOn"` // must be the day of the shipment, or today
	shop.ExternalInput
	SerialID     input.TextInput `field:"serialId"`
	SerialNumber input.TextInput `field:"serialNumber"` // identifies the unit if serialId is missing
	UserID       input.TextInput `field:"userId"`
}

// shipmentKey returns the key that the rows of a shipment share.
func shipmentKey(in *ShipmentInput) string {
	id, outside := plainText(in.ID), plainText(in.ExternalID)
	if id == "" && outside == "" {
		return ""
	}
	return id + "\n" + outside
}

// shipmentText is a field of a row that all rows of a shipment have.
type shipmentText struct {
	field string
	in    input.TextInput
	is    string // in the shipment
}

// common returns the fields that all rows of a shipment have.
func (in *ShipmentInput) common(s *shop.Shipment) []shipmentText {
	return []shipmentText{
		{"kind", in.Kind, string(s.Kind)}, {"supplier", in.Supplier, s.Supplier}, {"customer", in.Customer, s.Customer},
		{"orderNumber", in.OrderNumber, s.OrderNumber}, {"expectedBack", in.ExpectedBack, s.ExpectedBack}, {"sentOn", in.SentOn, s.SentOn},
		{"externalId", in.ExternalID, s.ExternalID},
	}
}

// shipmentRun is an import of shipments within one transaction.
type shipmentRun struct{ *run }

// importShipment imports the rows of one shipment.
func importShipment(im *run, ins []*ShipmentInput, numbers []int) []toldRow {
	return shipmentRun{im}.take(ins, numbers)
}

// take imports the rows of one shipment.
func (im shipmentRun) take(ins []*ShipmentInput, numbers []int) []toldRow {
	told := make([]toldRow, len(ins))
	id, err := im.shipmentOf(ins[0])
	if err != nil {
		return refuseAll(told, err)
	}
	units := make([]string, len(ins))
	for i, in := range ins {
		units[i], told[i].err = im.unitCalled("serialId", in.SerialID, "serialNumber", in.SerialNumber)
		if told[i].err == nil && units[i] == "" {
			told[i].err = refusal.RefuseField(refusal.Required, "serialId")
		}
	}
	if id != "" {
		return im.sameShipment(id, ins, units, told)
	}
	return im.newShipment(ins, numbers, units, told)
}

// refuseAll refuses all rows of a shipment for one reason.
func refuseAll(told []toldRow, err error) []toldRow {
	for i := range told {
		told[i].err = err
	}
	return told
}

// shipmentOf returns the identifier of the shipment of a row, or "" if there is no such shipment. It refuses a key that earlier rows have,
// unless they are equal.
func (im shipmentRun) shipmentOf(in *ShipmentInput) (string, error) {
	if shipmentKey(in) == "" {
		return "", refusal.RefuseField(refusal.Required, "externalId")
	}
	id, err := im.known(shop.RecordShipment, in.ID, in.ExternalID)
	if refused, ok := errors.AsType[*refusal.Error](err); ok && refused.Reason == KeyTwice {
		err = refusal.RefuseField(RowsApart, refused.Field, anyOf(refused.Args)...)
	}
	return id, err
}

// sameShipment refuses the rows that differ from a shipment that exists.
func (im shipmentRun) sameShipment(id string, ins []*ShipmentInput, units []string, told []toldRow) []toldRow {
	shipment, err := im.tx.Shipment(id)
	if err != nil {
		return refuseAll(told, shop.OrNotFound(err, shop.NameShipment, id))
	}
	on := map[string]bool{}
	for at := 0; at < len(units); at += shop.ChunkSize {
		lines, err := im.tx.LinesAmong(id, units[at:min(at+shop.ChunkSize, len(units))])
		if err != nil {
			return refuseAll(told, err)
		}
		for _, line := range lines {
			on[line.SerialID] = true
		}
	}
	for i, in := range ins {
		if told[i].err != nil {
			continue
		}
		if told[i].err = im.refuseDifferent(&shipment, in); told[i].err == nil && !on[units[i]] {
			told[i].err = refusal.RefuseField(shop.NotOnShipment, "serialId", units[i], id)
		}
	}
	return told
}

// refuseDifferent refuses a row with a field that is not the shipment's.
func (im shipmentRun) refuseDifferent(shipment *shop.Shipment, in *ShipmentInput) error {
	for _, said := range in.common(shipment) {
		text := plainText(said.in)
		if said.field == "kind" {
			text = cmp.Or(text, string(card.ToSupplier))
		}
		if !said.in.Present() || said.in.State != input.StateMistyped && text == said.is {
			continue
		}
		if said.field == "externalId" {
			if other, err := shop.FindOutside(im.tx, shop.RecordShipment, text); err == nil {
				return refusal.RefuseField(shop.ExternalIDTaken, said.field, text, other)
			}
		}
		return refusal.RefuseField(ShipmentDiffers, said.field, shipment.ID)
	}
	return nil
}

// newShipment creates a shipment with the units of its rows. If one row is refused, all are.
func (im shipmentRun) newShipment(ins []*ShipmentInput, numbers []int, units []string, told []toldRow) []toldRow {
	rowOf, serials := make(map[string]int, len(units)), make([]input.TextInput, 0, len(units))
	for i, in := range ins {
		if told[i].err != nil {
			continue
		}
		if told[i].err = im.agreesWith(ins[0], in, numbers[0]); told[i].err != nil {
			continue
		}
		if first, twice := rowOf[units[i]]; twice {
			if *ins[first] != *in {
				told[i].err = refusal.RefuseField(KeyTwice, "serialId", numbers[first])
			}
			continue
		}
		rowOf[units[i]] = i
		serials = append(serials, input.Given(units[i]))
		told[i].err = im.sentOnce(units[i])
	}
	if refuseTogether(told, numbers) {
		return told
	}
	first := ins[0]
	im.run.creating = true
	asked := shop.CreateShipmentInput{
		Kind: first.Kind, Supplier: first.Supplier, Customer: first.Customer, OrderNumber: first.OrderNumber,
		ExpectedBack: first.ExpectedBack, ExternalInput: first.ExternalInput, UserID: im.actor(first.UserID),
		Selection: shop.SelectionInput{SerialIDs: input.Given(serials)},
	}
	_, err := im.service.CreateShipment(im.ctx, asked)
	if err != nil {
		im.refuseUnits(asked, err, units, rowOf, told)
		refuseTogether(told, numbers)
		return told
	}
	for i := range told {
		if rowOf[units[i]] == i {
			told[i].outcome = rowCreated
		}
	}
	return told
}

// agreesWith refuses a row whose shipment has other fields than in the first row of the shipment.
func (im shipmentRun) agreesWith(first, in *ShipmentInput, number int) error {
	of, none := in.common(&shop.Shipment{}), first.common(&shop.Shipment{})
	for i := range of {
		if of[i].in.State == input.StateMistyped || plainText(of[i].in) != plainText(none[i].in) {
			return refusal.RefuseField(RowOfShipmentDiffers, of[i].field, number)
		}
	}
	if day := plainText(in.SentOn); day != "" && day != im.service.Today() {
		return refusal.RefuseField(SentEarlier, "sentOn", day)
	}
	if plainText(in.UserID) != plainText(first.UserID) {
		return refusal.RefuseField(RowOfShipmentDiffers, "userId", number)
	}
	return nil
}

// sentOnce refuses a unit of a new shipment that an earlier row has on another new shipment.
func (im shipmentRun) sentOnce(unit string) error {
	earlier, differs, err := im.claim("sent", unit)
	if err == nil && differs {
		err = refusal.RefuseField(SentTwice, "serialId", earlier)
	}
	return err
}

// checkedAlone is the maximum number of units of a refused shipment that are checked one by one.
const checkedAlone = 1000

// refuseUnits records why a shipment was refused: for each unit that cannot be sent, or else for the unit of the refusal, or else for the
// first row.
func (im shipmentRun) refuseUnits(asked shop.CreateShipmentInput, err error, units []string, rowOf map[string]int, told []toldRow) {
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok || refused.Field != "" || len(units) > checkedAlone {
		at, of := 0, false
		if ok && refused.Field == "" {
			at, of = rowOf[cmp.Or(refused.Arg("serialId"), refused.Arg("id"))]
		}
		if told[at].err = err; of {
			told[at].err = ofUnit(err)
		}
		return
	}
	for unit, at := range rowOf {
		if told[at].err = ofUnit(im.service.RefuseUnitOf(im.ctx, im.tx, asked, unit)); told[at].err != nil {
			err = nil
		}
	}
	if err != nil {
		told[0].err = err
	}
}

// ofUnit returns a refusal of a unit as a refusal of the column with the unit.
func ofUnit(err error) error {
	if refused, ok := errors.AsType[*refusal.Error](err); ok && refused.Field == "" {
		return refusal.RefuseField(refused.Reason, "serialId", anyOf(refused.Args)...)
	}
	return err
}

// refuseTogether refuses all rows of a shipment if one of them is refused. It reports whether it did.
func refuseTogether(told []toldRow, numbers []int) bool {
	for first := range told {
		if told[first].err == nil {
			continue
		}
		for i := range told {
			if told[i].err == nil {
				told[i].err = refusal.Refuse(OtherRowRefused, numbers[first])
			}
		}
		return true
	}
	return false
}

// Reasons for refusing a row with a unit of a shipment.
var (
	RowsApart = refusal.NewReason(refusal.Invalid, "key_twice",
		"{field} names the record of row {row}, and rows of one record must follow one another, without other rows between them")
	ShipmentDiffers      = refusal.NewReason(refusal.Invalid, "shipment_differs", "{field} is not what {id} has, and a shipment is never changed")
	RowOfShipmentDiffers = refusal.NewReason(refusal.Invalid, "row_of_shipment_differs", "{field} is not what row {row} of the same shipment has")
	SentEarlier          = refusal.NewReason(refusal.Invalid, "sent_earlier", "{field} is {value}, and a new shipment is sent on the day of the import")
	SentTwice            = refusal.NewReason(refusal.Invalid, "sent_twice", "{field} is on the shipment of row {row} already")
)
