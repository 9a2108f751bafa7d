package trail

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/routecard/routecard/ledger"
)

// The entries that make or change a note, a certificate, a bill of materials, a template or a user carry the SHA-256 of the
// contents that the record then has, in contentsSha256 of their metadata, so that verification finds an edit of the record
// although the contents themselves are not in the trail. Contents are hashed in their RFC 8785 form. Those that are private,
// of notes and users, have a salt among them, which is kept in the record's row and nowhere else: without it nobody who reads
// the trail can guess them. What changes without an entry, such as when a bill was last saved, is not among the contents.

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

// Salted returns a salt: the one that a record has, or a new one.
func Salted(salt string) string {
	if salt == "" {
		return rand.Text()
	}
	return salt
}
