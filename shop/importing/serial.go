package importing

import (
	"errors"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// SerialInput is a row of a serials file.
type SerialInput struct {
	ID           input.TextInput `field:"id"`
	SerialNumber input.TextInput `field:"serialNumber"`
	JobID        input.TextInput `field:"jobId"`
	PathID       input.TextInput `field:"pathId"`
	shop.ExternalInput
	Reason input.TextInput `field:"reason"` // the reason for correcting a number
	UserID input.TextInput `field:"userId"`
}

func (im *run) serial(in SerialInput) (outcome rowOutcome, err error) {
	in.UserID = im.actor(in.UserID)
	id, err := im.known(shop.RecordSerial, in.ID, in.ExternalID)
	if err != nil {
		return outcome, err
	}
	if id == "" {
		if id, err = im.numbered(&in); err != nil {
			return outcome, err
		}
		if given := in.ExternalID.State == input.StateGiven && !input.Blank(in.ExternalID.Value); id != "" && !given {
			in.ExternalInput = shop.ExternalInput{} // the unit was found by its number; its external id stays
		}
	}
	if id != "" {
		return im.changeSerial(id, &in)
	}
	im.creating = true
	made := shop.CreateSerialsInput{JobID: in.JobID, PathID: in.PathID, UserID: in.UserID}
	if input.Unfilled(in.SerialNumber) {
		made.Quantity = input.Given(1.0)
	} else {
		made.SerialNumbers = input.Given([]input.TextInput{in.SerialNumber})
	}
	batch, err := im.service.CreateSerials(im.ctx, made)
	if refused, ok := errors.AsType[*refusal.Error](err); ok && strings.HasPrefix(refused.Field, "serialNumbers") {
		err = refusal.RefuseField(refused.Reason, "serialNumber", anyOf(refused.Args)...)
	}
	if err == nil && !in.ExternalID.Missing() {
		change := shop.UpdateSerialInput{ExternalInput: in.ExternalInput, UserID: in.UserID}
		_, err = im.service.UpdateSerial(im.ctx, im.tx.SerialPrefix().SerialID(batch.First), change)
	}
	return rowCreated, err
}

// numbered returns the identifier of the unit on the row's path that has the row's own number, or "".
func (im *run) numbered(in *SerialInput) (string, error) {
	if in.SerialNumber.State != input.StateGiven || in.JobID.State != input.StateGiven {
		return "", nil
	}
	job, err := im.tx.Job(in.JobID.Value)
	if err != nil {
		return "", shop.IgnoreNoRecord(err)
	}
	number := strings.TrimSpace(in.SerialNumber.Value)
	repeated, err := im.claimText("serialNumber", shop.RecordSerial, in.PathID.Value+" "+number)
	if err != nil {
		return "", err
	}
	taken, err := im.tx.OwnNumbersTaken(job.NumberScope(), []string{number})
	owner := taken[number]
	if err != nil || owner == "" {
		return "", err
	}
	card, err := im.tx.RouteCard(owner)
	if err != nil || card.Serial.PathID != in.PathID.Value {
		return "", shop.IgnoreNoRecord(err)
	}
	if !repeated {
		err = im.claimRecord("serialNumber", shop.RecordSerial, owner)
	}
	return owner, err
}

// changeSerial sets the number and the external identifier of a unit to the row's. A unit stays on its path.
func (im *run) changeSerial(id string, in *SerialInput) (outcome rowOutcome, err error) {
	card, err := im.tx.RouteCard(id)
	if err != nil {
		return outcome, shop.OrNotFound(err, shop.NameSerial, id)
	}
	for _, place := range []struct {
		field string
		in    input.TextInput
		is    string
	}{{"jobId", in.JobID, card.Serial.JobID}, {"pathId", in.PathID, card.Serial.PathID}} {
		if !place.in.Missing() && (place.in.State != input.StateGiven || place.in.Value != place.is) {
			return outcome, input.NotOneOf(place.field, []string{place.is})
		}
	}
	number, before := in.SerialNumber, card.Serial.SerialNumber
	same := number.Missing() && before == "" || number.State == input.StateGiven && strings.TrimSpace(number.Value) == before
	if number.Present() && !same {
		if err := im.may(shop.OpSetSerialNumber); err != nil {
			return outcome, err
		}
		change := shop.SetSerialNumberInput{SerialNumber: number, Reason: in.Reason, UserID: in.UserID}
		if _, err := im.service.SetSerialNumber(im.ctx, id, change); err != nil {
			return outcome, err
		}
		outcome = rowUpdated
	}
	externalID := card.ExternalID
	if err := in.ExternalInput.Change(im.tx.SerialPrefix(), id, &externalID); err != nil || externalID == card.ExternalID {
		return outcome, err
	}
	_, err = im.service.UpdateSerial(im.ctx, id, shop.UpdateSerialInput{ExternalInput: in.ExternalInput, UserID: in.UserID})
	return rowUpdated, err
}
