package trail

import (
	"encoding/json"
	"fmt"

	"github.com/routecard/routecard/shop/ident"
)

// Action identifies what happened. Each noun declares its actions in its own file. The metadata of actions that the interface does not list
// has the values before and after. No metadata has a secret.
type Action string

// Entry is one entry of the audit trail. It commits together with the change that it records, and is never changed or removed. Which fields
// are present depends on the action.
type Entry struct {
	ID            string          `json:"id"` // set by the store, in the order of commits
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
	Actor         string          `json:"actor,omitempty"` // login of the user who acted on behalf of UserID
	Means         string          `json:"means,omitempty"` // how the actor proved their identity, see Caller; "" without an identity
}

// Metadata encodes the fields that are specific to one action. Its arguments are plain structs, which always encode.
func Metadata(value any) json.RawMessage {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return encoded
}

// BeforeAndAfter returns the metadata of a decision about production.
func BeforeAndAfter(before, after any) json.RawMessage {
	return Metadata(struct {
		Before any `json:"before"`
		After  any `json:"after"`
	}{before, after})
}

// OrZero returns the value of a member of an entry, or the zero value if the entry lacks it.
func OrZero[T any](told *T) (value T) {
	if told != nil {
		value = *told
	}
	return value
}

// ReadMetadata reads the metadata of an entry.
func ReadMetadata(entry *Entry, told any) error {
	if err := json.Unmarshal(entry.Metadata, told); err != nil {
		return fmt.Errorf("its metadata: %w", err)
	}
	return nil
}
