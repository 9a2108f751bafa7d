package firstarticle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
)

// Field is a field of a form with its text.
type Field struct {
	Form  int    `json:"form"`          // 1, 2 or 3
	Row   int    `json:"row,omitempty"` // counted from 1; 0 for a field that is not in a row
	Field int    `json:"field"`         // the number of the field on the form
	Text  string `json:"text"`
	Typed bool   `json:"typed,omitempty"` // whether a user typed the text
}

// Missing is a field that must be filled before the first article is verified.
type Missing struct {
	Form  int `json:"form"`
	Row   int `json:"row,omitempty"`
	Field int `json:"field"`
}

// Name returns the name of a field in requests and messages: 1.8 or 2.3.9.
func (m Missing) Name() string {
	if m.Row == 0 {
		return fmt.Sprintf("%d.%d", m.Form, m.Field)
	}
	return fmt.Sprintf("%d.%d.%d", m.Form, m.Row, m.Field)
}

// Name returns the name of a field in requests and messages.
func (f *Field) Name() string { return Missing{f.Form, f.Row, f.Field}.Name() }

// Place says where a field of a form comes from.
type Place struct {
	// Key identifies the field for as long as its record exists, also when rows before it appear or vanish. Typed texts are stored by key.
	Key    string
	Filled bool // by records; such a field cannot be typed
}

// Content are the filled forms.
type Content struct {
	Fields  []Field
	Missing []Missing        // in the order of the forms
	Places  map[string]Place // by the name of the field
	order   []Missing        // the fields of Places in the order of the forms
}

// Text returns the text of a field, "" if the forms have no such field.
func (c *Content) Text(form, row, field int) string {
	for i := range c.Fields {
		if f := &c.Fields[i]; f.Form == form && f.Row == row && f.Field == field {
			return f.Text
		}
	}
	return ""
}

// Typable returns the fields that records leave empty, in the order of the forms.
func (c *Content) Typable() []Missing {
	var typable []Missing
	for _, at := range c.order {
		if !c.Places[at.Name()].Filled {
			typable = append(typable, at)
		}
	}
	return typable
}

// Names returns the names of the missing fields in one text.
func (c *Content) Names() string {
	names := make([]string, len(c.Missing))
	for i, missing := range c.Missing {
		names[i] = missing.Name()
	}
	return strings.Join(names, ", ")
}

// Frozen has the content of a verified first article. It is stored as a file.
type Frozen struct {
	ID           string   `json:"id"`
	PartNumber   string   `json:"partNumber,omitempty"`
	PartRevision string   `json:"partRevision,omitempty"`
	Kind         Kind     `json:"kind"`
	SerialIDs    []string `json:"serialIds"`
	Scrapped     []string `json:"scrapped,omitempty"` // set only in comparisons
	Fields       []Field  `json:"fields"`
}

// ofShop are the fields about the shop itself, which do not concern the inspected part.
var ofShop = []int{10, 11}

// Equal reports whether two contents describe the same inspection. It ignores the name of the shop.
func (f *Frozen) Equal(other *Frozen) bool {
	inspected := func(of *Frozen) []Field {
		return slices.DeleteFunc(slices.Clone(of.Fields), func(field Field) bool {
			return field.Form == 1 && slices.Contains(ofShop, field.Field)
		})
	}
	return f.ID == other.ID && f.PartNumber == other.PartNumber && f.PartRevision == other.PartRevision && f.Kind == other.Kind &&
		slices.Equal(f.SerialIDs, other.SerialIDs) && slices.Equal(f.Scrapped, other.Scrapped) &&
		slices.Equal(inspected(f), inspected(other))
}

// Freeze returns what is stored of filled forms.
func (r *Records) Freeze(content *Content) *Frozen {
	frozen := &Frozen{ID: r.ID, PartNumber: r.PartNumber, PartRevision: r.PartRevision, Kind: r.Kind, Fields: content.Fields}
	for i := range r.Units {
		frozen.SerialIDs = append(frozen.SerialIDs, r.Units[i].SerialID)
		if r.Units[i].Scrapped {
			frozen.Scrapped = append(frozen.Scrapped, r.Units[i].SerialID)
		}
	}
	return frozen
}

// ChangedSince returns the time of the first change of a record after a time. It returns that time itself if no record has the time of its
// change.
func (r *Records) ChangedSince(at ident.Timestamp) ident.Timestamp {
	var first ident.Timestamp
	for _, changed := range r.Changes {
		if changed > at && (first == 0 || changed < first) {
			first = changed
		}
	}
	return cmp.Or(first, at)
}

// SameName reports whether two names are of the same person if case and blanks are ignored.
func SameName(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}
