package card

import (
	"crypto/sha256"
	"encoding/base32"

	"github.com/routecard/routecard/shop/ident"
)

// Once makes one request of all that have the same key.
type Once struct {
	Caller      string // whose key it is, "" for everybody; Service.Once finds out
	Key         string
	Fingerprint string // names the request, so that its key is not used for another one
}

// Name is a name for the request that does not give its key away.
func (once Once) Name() string {
	digest := sha256.Sum256([]byte(once.Caller + "\n" + once.Key))
	return base32.StdEncoding.EncodeToString(digest[:])[:26]
}

// Remembered is what is written down of an operation that was done under a key.
type Remembered struct {
	Once
	Result string // what the operation returned; see shop/onceresult.go
	At     ident.Timestamp
}
