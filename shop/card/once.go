package card

import (
	"crypto/sha256"
	"encoding/base32"
)

// Name is a name for the request that does not give its key away.
func (once Once) Name() string {
	digest := sha256.Sum256([]byte(once.Caller + "\n" + once.Key))
	return base32.StdEncoding.EncodeToString(digest[:])[:26]
}
