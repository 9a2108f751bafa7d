package trail

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/routecard/routecard/ledger"
)

// ContentsSHA256 is the SHA-256 of the contents of a record, in lower-case hex; "" when the audit trail does not record it.
type ContentsSHA256 string

// ContentsOf returns the SHA-256 of contents. It panics when they have no canonical form; the contents of records always have one.
func ContentsOf(contents any) ContentsSHA256 {
	text, err := json.Marshal(contents)
	if err == nil {
		text, err = ledger.Canonical(text)
	}
	if err != nil {
		panic(err)
	}
	digest := sha256.Sum256(text)
	return ContentsSHA256(hex.EncodeToString(digest[:]))
}
