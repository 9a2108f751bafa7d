package refusal

// RecordName is what the messages of the interface call a record. They are part of the contract, to the letter. The interface
// has two names for a serial, each in operations of its own.
type RecordName string

// NotFound is the refusal of a request that names a record which does not exist.
func (n RecordName) NotFound(id string) *Error { return Refuse(NoRecord, string(n), id) }
