package trail

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/routecard/routecard/ledger"
)

// The entries that create or change a note, a certificate, a bill of materials, a template or a user have the SHA-256 of the record's new
// contents, in contentsSha256 of their metadata. So verification detects a later edit of the record in the database, although the trail
// does not have the contents themselves. Contents are hashed in their RFC 8785 form. Private contents, of notes and users, include a salt
// that is stored only in the record's row: without it, readers of the trail cannot guess the contents. Fields that change without an entry,
// such as when a bill was last saved, are not part of the contents.

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

// Salted returns the salt of a record, or a new salt if it is "".
func Salted(salt string) string {
	if salt == "" {
		return rand.Text()
	}
	return salt
}
