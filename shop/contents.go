package shop

import (
	"crypto/rand"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// The entries that make or change a note, a certificate, a bill of materials, a template or a user carry the SHA-256 of the
// contents that the record then has, in contentsSha256 of their metadata, so that verification finds an edit of the record
// although the contents themselves are not in the trail. Contents are hashed in their RFC 8785 form. Those that are private,
// of notes and users, have a salt among them, which is kept in the record's row and nowhere else: without it nobody who reads
// the trail can guess them. What changes without an entry, such as when a bill was last saved, is not among the contents.

// Salted returns a salt: the one that a record has, or a new one.
func Salted(salt string) string {
	if salt == "" {
		return rand.Text()
	}
	return salt
}

// Contents is the SHA-256 of what the entry of a note tells of it; "" for a note without a salt, of which no entry tells.
func (n *Note) Contents() trail.ContentsSHA256 {
	if n.Salt == "" {
		return ""
	}
	return trail.ContentsOf(struct {
		ID        string          `json:"id"`
		JobID     string          `json:"jobId"`
		PathID    string          `json:"pathId"`
		StepID    string          `json:"stepId"`
		SerialIDs []string        `json:"serialIds"`
		Text      string          `json:"text"`
		CreatedBy string          `json:"createdBy"`
		CreatedAt ident.Timestamp `json:"createdAt"`
		Salt      string          `json:"salt"`
	}{n.ID, n.JobID, n.PathID, n.StepID, n.SerialIDs, n.Text, n.CreatedBy, n.CreatedAt, n.Salt})
}

// Contents is the SHA-256 of what the entry of a certificate tells of it. Its metadata is hashed as the text that is kept, so
// that it need not be JSON any more after somebody has edited it.
func (c *Certificate) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf(struct {
		ID        string          `json:"id"`
		Type      CertificateType `json:"type"`
		Name      string          `json:"name"`
		Metadata  string          `json:"metadata"`
		CreatedAt ident.Timestamp `json:"createdAt"`
	}{c.ID, c.Type, c.Name, string(c.Metadata), c.CreatedAt})
}

// Contents is the SHA-256 of what the entries of a bill of materials tell of it: its lines have no identifiers there, since
// these are new with every change.
func (b *BOM) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf(struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Entries   *[]bomEntryFact `json:"entries"`
		CreatedAt ident.Timestamp `json:"createdAt"`
	}{b.ID, b.Name, factsOf(b.Entries), b.CreatedAt})
}

// Contents is the SHA-256 of what the entries of a template tell of it.
func (t *Template) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf(struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Steps     []TemplateStep  `json:"steps"`
		CreatedAt ident.Timestamp `json:"createdAt"`
	}{t.ID, t.Name, t.Steps, t.CreatedAt})
}

// Contents is the SHA-256 of what the entries of a user tell of it: with the login, the roles and the kind; "" for a user without a
// salt, of whom no entry tells.
func (u *User) Contents() trail.ContentsSHA256 {
	if u.Salt == "" {
		return ""
	}
	return trail.ContentsOf(struct {
		ID         string          `json:"id"`
		Name       string          `json:"name"`
		Department string          `json:"department"`
		Active     bool            `json:"active"`
		CreatedAt  ident.Timestamp `json:"createdAt"`
		Login      string          `json:"login"`
		Roles      []string        `json:"roles"`
		Salt       string          `json:"salt"`
		// Kind is left out for a person, so that the contents of a user from before there were kinds stay as they were.
		Kind AccountKind `json:"kind,omitempty"`
	}{u.ID, u.Name, u.Department, u.Active, u.CreatedAt, u.Login, append([]string{}, u.Roles...), u.Salt, u.Kind})
}
