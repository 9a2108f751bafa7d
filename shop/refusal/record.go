package refusal

// RecordName is the name of a kind of record in messages. Names are part of the contract, to the letter. The interface has two names for a
// serial, each in different operations.
type RecordName string

// NotFound returns the refusal of a request that refers to a record which does not exist.
func (n RecordName) NotFound(id string) *Error { return Refuse(NoRecord, string(n), id) }
