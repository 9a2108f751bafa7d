package site

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// OwnNumbers are the own numbers of units, by identifier.
type OwnNumbers map[string]string

// UnitName is the displayed name of a unit.
type UnitName struct {
	ID  string
	Own string // "" for none
}

// showsUnits is a page whose texts contain unit identifiers and that has not loaded the own numbers of these units. All these numbers are
// loaded together before the page is rendered.
type showsUnits interface{ UnitsShown() []string }

// hasFrame is a page with a frame, which can display the own numbers of units.
type hasFrame interface {
	sentences() []string
	callUnits(own OwnNumbers)
}

// String returns the name for use in a sentence.
func (n UnitName) String() string {
	if n.Own == "" {
		return n.ID
	}
	return n.Own + " (" + n.ID + ")"
}

// nameOfUnit returns the name of a unit whose own number is known.
func nameOfUnit(id, own string) UnitName { return UnitName{id, own} }

// In inserts the own numbers of units before their identifiers in a text.
func (o OwnNumbers) In(prefix ident.Prefix, text string) string {
	if len(o) == 0 {
		return text
	}
	var named strings.Builder
	for {
		before, id, rest := cutUnit(prefix, text)
		named.WriteString(before)
		if id == "" {
			return named.String()
		}
		named.WriteString(UnitName{id, o[id]}.String())
		text = rest
	}
}

// cutUnit splits a text at its first unit identifier, into the text before it, the identifier and the rest. id is "" if the text has no
// identifier.
func cutUnit(prefix ident.Prefix, text string) (before, id, rest string) {
	mark := prefix.Mark()
	for from := 0; ; {
		at := strings.Index(text[from:], mark)
		if at < 0 {
			return text, "", ""
		}
		at += from
		end := at + len(mark)
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		digits := end - at - len(mark)
		begins, ends := at == 0 || !inWord(text[at-1]), end == len(text) || !inWord(text[end])
		if begins && ends && digits >= 5 && digits <= 15 {
			return text[:at], text[at:end], text[end:]
		}
		from = end
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// inWord reports whether a byte can be part of a longer name.
func inWord(c byte) bool { return isDigit(c) || c == '_' || 'a' <= c|' ' && c|' ' <= 'z' }

// out reverses In: it restores the identifiers of units in a text that was copied from a page.
func (o OwnNumbers) out(text string) string {
	for id, own := range o {
		text = strings.ReplaceAll(text, UnitName{id, own}.String(), id)
	}
	return text
}

// Unit returns the name of a unit on the page.
func (f *Frame) Unit(id string) UnitName { return UnitName{id, f.own[id]} }

// UnitID returns the identifier of the unit with a number.
func (f *Frame) UnitID(number int64) string { return f.Prefix.SerialID(number) }

// UnitsLike shows how units are typed, in a field for them.
func (f *Frame) UnitsLike() string {
	return f.T("{first} to {last}, {other}", "first", f.UnitID(401), "last", f.UnitID(600), "other", f.UnitID(612))
}

// UnitBegun is the beginning of an identifier, as an example.
func (f *Frame) UnitBegun() string { return f.Prefix.Mark() + "0041" }

// Called adds the own numbers to the units in a text.
func (f *Frame) Called(text any) template.HTML {
	return lang.Apart(f.own.In(f.Prefix, fmt.Sprint(text)))
}

// sentences returns the texts of the frame that can contain units: the result and the refusal of a form.
func (f *Frame) sentences() []string {
	if f.Rejected == nil {
		return []string{f.Title, f.Done}
	}
	return []string{f.Title, f.Done, f.Rejected.Advice.Text}
}

// callUnits sets the own numbers of units in the frame.
func (f *Frame) callUnits(own OwnNumbers) {
	f.own = own
	f.Title, f.Done = own.In(f.Prefix, f.Title), own.In(f.Prefix, f.Done)
	if f.Rejected != nil {
		f.Rejected.Advice.Text = own.In(f.Prefix, f.Rejected.Advice.Text)
	}
}

// callUnits loads the own numbers of the units on a page.
func callUnits(v *Visit, page any) error {
	framed, is := page.(hasFrame)
	if !is {
		return nil
	}
	texts := framed.sentences()
	if shows, does := page.(showsUnits); does {
		texts = append(texts, shows.UnitsShown()...)
	}
	own, err := LoadOwnNumbers(v, texts...)
	if err == nil {
		framed.callUnits(own)
	}
	return err
}

// LoadOwnNumbers loads the own numbers of the units whose identifiers occur in the texts.
func LoadOwnNumbers(v *Visit, texts ...string) (OwnNumbers, error) {
	var ids []string
	for _, text := range texts {
		for _, id, rest := cutUnit(v.SerialPrefix(), text); id != ""; _, id, rest = cutUnit(v.SerialPrefix(), rest) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return v.Views.OwnNumbers(v.R.Context(), slices.Compact(ids))
}

// JobOfUnit returns the job of a unit in a list.
func JobOfUnit(unit *shop.SerialListItem) string { return unit.JobID }

// IDsOf returns one identifier for each record.
func IDsOf[T any](records []T, of func(*T) string) []string {
	ids := make([]string, len(records))
	for i := range records {
		ids[i] = of(&records[i])
	}
	return ids
}

// EntriesAbout returns those texts of entries that can contain units.
func EntriesAbout(entries []trail.Entry) []string {
	texts := make([]string, 0, 2*len(entries))
	for i := range entries {
		texts = append(texts, entries[i].SerialID, string(entries[i].Metadata))
	}
	return texts
}

// GroupsAbout returns those texts of unit groups that can contain units.
func GroupsAbout(lists ...[]UnitGroup) []string {
	return IDsOf(slices.Concat(lists...), func(group *UnitGroup) string { return group.Units + " " + group.What })
}

// UnitsShown returns the texts of the page that can contain units.
func (p *ConfirmPage) UnitsShown() []string { return append(slices.Clone(p.Facts), p.Question, p.Yes) }
