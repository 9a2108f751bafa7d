package replay

import "github.com/routecard/routecard/shop/trail"

// NumberMetadata is the metadata of the audit entry of an own number.
type NumberMetadata struct {
	Before *string `json:"before"` // nil if the serial had none
	After  string  `json:"after"`
	Reason string  `json:"reason,omitempty"`
}

// numbered applies an entry with an own number.
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

// NumberTold returns the serial's own number before and after an entry; "" for none.
func NumberTold(entry *trail.Entry) (before, after string, err error) {
	var told NumberMetadata
	err = trail.ReadMetadata(entry, &told)
	return trail.OrZero(told.Before), told.After, err
}
