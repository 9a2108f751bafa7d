package trail

import (
	"encoding/json"

	"github.com/routecard/routecard/shop/ident"
)

// Action names what happened. Each noun names its actions in its own file. Of those that the interface does not list the
// metadata has the values before and after, and no metadata has a secret.
type Action string

// Entry is one line of the audit trail. It commits together with the change it tells of and is never changed
// or removed. Which fields are present depends on the action.
type Entry struct {
	ID            string          `json:"id"` // made by the store from the order of commit
	Action        Action          `json:"action"`
	UserID        string          `json:"userId"`
	Timestamp     ident.Timestamp `json:"timestamp"`
	SerialID      string          `json:"serialId,omitempty"`
	CertID        string          `json:"certId,omitempty"`
	JobID         string          `json:"jobId,omitempty"`
	PathID        string          `json:"pathId,omitempty"`
	StepID        string          `json:"stepId,omitempty"`
	FromStepID    string          `json:"fromStepId,omitempty"`
	ToStepID      string          `json:"toStepId,omitempty"`
	BatchQuantity int64           `json:"batchQuantity,omitempty"`
	Metadata      json.RawMessage `json:"metadata,omitempty"`
	Actor         string          `json:"actor,omitempty"` // whose identity it was, when somebody acted for the user
	Means         string          `json:"means,omitempty"` // what an identity was proved with; see Caller. "" for no identity
}

// Metadata encodes what only one action has to say. Its arguments are plain structs, which always encode.
func Metadata(value any) json.RawMessage {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}

// BeforeAndAfter is the metadata of a decision about production.
func BeforeAndAfter(before, after any) json.RawMessage {
	return Metadata(struct {
		Before any `json:"before"`
		After  any `json:"after"`
	}{before, after})
}

// OrZero is what a member of an entry tells, and the zero value where the entry does not have it.
func OrZero[T any](told *T) (value T) {
	if told != nil {
		value = *told
	}
	return value
}
