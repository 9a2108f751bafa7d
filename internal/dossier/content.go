package dossier

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Content lists the entries and files of a dossier.
type Content struct {
	About  string       // the record that the dossier concerns
	Prefix ident.Prefix // of the identifiers of units
	Units  []string     // all units of the dossier, also those inside others
	// Entries are the entries about the units, the units inside them, and their jobs, lots, certificates, reports, instruments and
	// shipments, in the order of the trail.
	Entries []trail.Entry
	// Documents are files that the service made once and keeps, such as the PDF of a certificate of conformance.
	Documents []Document
	// Payload are further files below data/. Nothing in the ledger proves them.
	Payload []Payload
	// Missing are the documents that the records should have and do not have.
	Missing []Missing
	// Include has the kinds of files that a dossier has only on request.
	Include []shop.FileKind
	// Language is that of the pages; nil for English.
	Language *lang.Language
	verify   []byte // verify.html, if it is made already
	// Open opens the bytes of a file. A file whose bytes cannot be opened fails the dossier.
	Open func(digest string) (io.ReadCloser, error)
	// Day is the day of the last entry in the time zone of the shop.
	Day string
	// Ledger proves and signs the dossier; nil for a service without a ledger.
	Ledger *Ledger
}

// Document is a file that the service made once. The entry that issued it has its digest.
type Document struct {
	Name   string // below data/
	SHA256 string
	Size   int64
}

// Payload is a generated file.
type Payload struct {
	Name string // below data/
	Text []byte
}

// Ledger has what a dossier needs of a log.
type Ledger struct {
	Checkpoint []byte // signed; all entries of the dossier are in its tree
	// Prove returns the proof of an entry in that tree, and ledger.ErrNotProved if the entry is not in it.
	Prove func(index int64, leaf []byte) ([]ledger.Hash, error)
	Sign  func(text string) ([]byte, error) // signs a note with the keys of the log
}

// onRequest are the kinds of files that a dossier has only on request.
func onRequest() []shop.FileKind { return []shop.FileKind{shop.Instruction, shop.ProgramFile} }

// line is an entry in trail.ndjson. If the metadata of the entry identify units outside the dossier, Entry is the leaf of the entry, which
// has the SHA-256 of the metadata instead.
type line struct {
	Index int64           `json:"index"`
	Entry json.RawMessage `json:"entry"`
	Proof []ledger.Hash   `json:"proof,omitempty"`
}

// scope has the units of a dossier, and finds others in texts.
type scope struct {
	prefix ident.Prefix
	has    map[string]bool
	unitID *regexp.Regexp // the identifiers of units
}

func scopeOf(prefix ident.Prefix, units []string) scope {
	s := scope{prefix, make(map[string]bool, len(units)), regexp.MustCompile(prefix.Mark() + `\d+`)}
	for _, id := range units {
		s.has[id] = true
	}
	return s
}

// shownEntry returns the JSON of an entry in the dossier, and the entry as the dossier has it.
func (s scope) shownEntry(entry trail.Entry) (text []byte, shown trail.Entry, err error) {
	if text, err = marshal(entry); err != nil {
		return nil, shown, err
	}
	if !s.namesOthers(entry.Metadata) {
		return text, entry, nil
	}
	leaf, err := ledger.Leaf(text)
	if err != nil {
		return nil, shown, err
	}
	entry.Metadata = nil
	return bytes.Clone(leaf), entry, nil
}

// marshal encodes a value without escapes for HTML.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// namesOthers reports whether metadata identify a unit that is not in the dossier, by its identifier or within a range.
func (s scope) namesOthers(metadata json.RawMessage) bool {
	if len(metadata) == 0 {
		return false
	}
	if slices.ContainsFunc(s.unitID.FindAll(metadata, -1), func(id []byte) bool { return !s.has[string(id)] }) {
		return true
	}
	var value any
	return json.Unmarshal(metadata, &value) != nil || s.spansOthers(value)
}

// spansOthers reports whether a value has a range with a unit that is not in the dossier.
func (s scope) spansOthers(value any) bool {
	switch value := value.(type) {
	case []any:
		return slices.ContainsFunc(value, s.spansOthers)
	case map[string]any:
		for _, ends := range [][2]string{{"first", "last"}, {"firstSerialId", "lastSerialId"}} {
			first, _ := value[ends[0]].(string)
			last, _ := value[ends[1]].(string)
			from, isFirst := s.prefix.ParseSerialID(first)
			to, isLast := s.prefix.ParseSerialID(last)
			if !isFirst || !isLast {
				continue
			}
			if to-from >= int64(len(s.has)) {
				return true
			}
			for number := from; number <= to; number++ {
				if !s.has[s.prefix.SerialID(number)] {
					return true
				}
			}
		}
		for _, one := range value {
			if s.spansOthers(one) {
				return true
			}
		}
	}
	return false
}
