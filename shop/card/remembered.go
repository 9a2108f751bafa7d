package card

import (
	"crypto/sha256"
	"encoding/base32"

	"github.com/routecard/routecard/shop/ident"
)

// Once identifies a request with an idempotency key.
type Once struct {
	Caller      string // login of the caller, "" if the caller has none; set by Service.Once
	Key         string
	Fingerprint string // identifies the request, so that its key is not used for another request
}

// Name returns a name for the request that does not reveal its key.
func (once Once) Name() string {
	digest := sha256.Sum256([]byte(once.Caller + "\n" + once.Key))
	return base32.StdEncoding.EncodeToString(digest[:])[:26]
}

// Remembered is the stored result of an operation with an idempotency key.
type Remembered struct {
	Once
	Result string // the operation's encoded result; see shop/once.go
	At     ident.Timestamp
}
