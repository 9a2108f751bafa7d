package replay

import "github.com/routecard/routecard/shop/trail"

// NumberMetadata is what the trail tells of an own number.
type NumberMetadata struct {
	Before *string `json:"before"` // nil when the serial had none
	After  string  `json:"after"`
	Reason string  `json:"reason,omitempty"`
}

// numbered follows an own number.
func (r *Replayed) numbered(entry *trail.Entry) error {
	before, after, err := NumberTold(entry)
	if err != nil {
		return err
	}
	if before != r.Card.Serial.SerialNumber {
		return errOtherNumber
	}
	r.Card.Serial.SerialNumber = after
	return nil
}

// NumberTold reads which own number an entry gives a serial, and which the serial had before; "" for none.
func NumberTold(entry *trail.Entry) (before, after string, err error) {
	var told NumberMetadata
	err = trail.ReadMetadata(entry, &told)
	return trail.OrZero(told.Before), told.After, err
}
