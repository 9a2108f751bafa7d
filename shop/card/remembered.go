package card

import "github.com/routecard/routecard/shop/ident"

// Once makes one request of all that have the same key.
type Once struct {
	Caller      string // whose key it is, "" for everybody; Service.Once finds out
	Key         string
	Fingerprint string // names the request, so that its key is not used for another one
}

// Remembered is what is written down of an operation that was done under a key.
type Remembered struct {
	Once
	Result string // what the operation returned; see onceresult.go
	At     ident.Timestamp
}
