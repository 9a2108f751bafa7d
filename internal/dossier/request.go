package dossier

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Maker reads dossiers. Its pages are in one of the languages of the catalogue. It is safe for concurrent use.
type Maker struct {
	zone      *time.Location
	sealed    bool
	languages func() []*lang.Language

	lock  sync.Mutex
	pages map[string][]byte // the pages that verify dossiers, by tag of their language, as far as made
}

// NewMaker returns a Maker for a shop with a time zone, and with or without a ledger. Without languages it reads the catalogue when it
// needs a language for the first time.
func NewMaker(zone *time.Location, sealed bool, languages ...*lang.Language) *Maker {
	m := &Maker{zone: zone, sealed: sealed, pages: map[string][]byte{}, languages: func() []*lang.Language { return languages }}
	if len(languages) == 0 {
		m.languages = sync.OnceValue(lang.Languages)
	}
	return m
}

// VerifyPage does the same as the function VerifyPage, and makes the page of each language once.
func (m *Maker) VerifyPage(l *lang.Language) (page []byte, err error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	page, made := m.pages[l.Tag()]
	if !made {
		page, err = VerifyPage(l)
	}
	if err == nil {
		m.pages[l.Tag()] = page
	}
	return page, err
}

// chosen returns the language that a request chooses. If it chooses none, this is the language of the record, else that of the
// organization.
func (m *Maker) chosen(tx shop.Reader, tag, ofRecord string) (*lang.Language, error) {
	if found, offered := lang.Find(m.languages(), tag); offered {
		return found, nil
	}
	if tag != "" {
		return nil, input.NotOneOf("lang", lang.Tags(m.languages()))
	}
	organization, err := shop.OrganizationIn(tx)
	found, _ := lang.Find(m.languages(), cmp.Or(ofRecord, organization.Lang))
	return found, err // nil is English
}

// sizeTooSmall refuses a tree of the ledger that does not have all entries of a dossier.
var sizeTooSmall = refusal.NewReason(refusal.Invalid, "size_too_small", "size must be greater than the number of {entry}")

// TooSmall is the refusal of a tree that does not have the last entry of a dossier.
func TooSmall(last string) error { return refusal.Refuse(sizeTooSmall, last) }

// Included reads the kinds of files that a request includes, separated by commas.
func Included(field, text string) (kinds []shop.FileKind, err error) {
	for word := range strings.SplitSeq(text, ",") {
		if word == "" {
			continue
		}
		if !slices.Contains(onRequest(), shop.FileKind(word)) {
			return nil, input.NotOneOf(field, onRequest())
		}
		kinds = append(kinds, shop.FileKind(word))
	}
	return kinds, nil
}
