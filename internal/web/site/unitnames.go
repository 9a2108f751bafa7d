package site

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// OwnNumbers are the own numbers of units, by their identifiers.
type OwnNumbers map[string]string

// UnitName is what a unit is called.
type UnitName struct {
	ID  string
	Own string // "" for none
}

// showsUnits is a page that says which units it shows whose own numbers it does not have: in texts with their identifiers. The page
// gets the own numbers of all of them at once before it is rendered.
type showsUnits interface{ UnitsShown() []string }

// hasFrame is a page with a frame, which calls units by their own numbers.
type hasFrame interface {
	sentences() []string
	callUnits(own OwnNumbers)
}

// String is the name as it stands in a sentence.
func (n UnitName) String() string {
	if n.Own == "" {
		return n.ID
	}
	return n.Own + " (" + n.ID + ")"
}

// nameOfUnit is what a unit is called whose own number is known.
func nameOfUnit(id, own string) UnitName { return UnitName{id, own} }

// In writes the own numbers of units in front of their identifiers in a text.
func (o OwnNumbers) In(text string) string {
	if len(o) == 0 {
		return text
	}
	var named strings.Builder
	for {
		before, id, rest := cutUnit(text)
		named.WriteString(before)
		if id == "" {
			return named.String()
		}
		named.WriteString(UnitName{id, o[id]}.String())
		text = rest
	}
}

// cutUnit cuts a text around the first identifier of a unit in it, which is "" when there is none.
func cutUnit(text string) (before, id, rest string) {
	for from := 0; ; {
		at := strings.Index(text[from:], ident.SerialPrefix)
		if at < 0 {
			return text, "", ""
		}
		at += from
		end := at + len(ident.SerialPrefix)
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		digits := end - at - len(ident.SerialPrefix)
		begins, ends := at == 0 || !inWord(text[at-1]), end == len(text) || !inWord(text[end])
		if begins && ends && digits >= 5 && digits <= 15 {
			return text[:at], text[at:end], text[end:]
		}
		from = end
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// inWord reports whether a byte is one of a longer name.
func inWord(c byte) bool { return isDigit(c) || c == '_' || 'a' <= c|' ' && c|' ' <= 'z' }

// out is the reverse of in: units that were copied from a page go by their identifiers again.
func (o OwnNumbers) out(text string) string {
	for id, own := range o {
		text = strings.ReplaceAll(text, UnitName{id, own}.String(), id)
	}
	return text
}

// Unit is what a unit that the page shows is called.
func (f *Frame) Unit(id string) UnitName { return UnitName{id, f.own[id]} }

// Called is a text in which the units that the page shows are called as people call them.
func (f *Frame) Called(text any) template.HTML { return wording.Apart(f.own.In(fmt.Sprint(text))) }

// sentences are the texts that a frame has by itself and that can name units: what was done, and what was refused.
func (f *Frame) sentences() []string {
	if f.Rejected == nil {
		return []string{f.Title, f.Done}
	}
	return []string{f.Title, f.Done, f.Rejected.Advice.Text}
}

// callUnits takes in the own numbers of units.
func (f *Frame) callUnits(own OwnNumbers) {
	f.own = own
	f.Title, f.Done = own.In(f.Title), own.In(f.Done)
	if f.Rejected != nil {
		f.Rejected.Advice.Text = own.In(f.Rejected.Advice.Text)
	}
}

// callUnits reads the own numbers of the units that a page shows, and gives them to it.
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

// LoadOwnNumbers reads the own numbers of the units whose identifiers are in some texts.
func LoadOwnNumbers(v *Visit, texts ...string) (OwnNumbers, error) {
	var ids []string
	for _, text := range texts {
		for _, id, rest := cutUnit(text); id != ""; _, id, rest = cutUnit(rest) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return v.Views.OwnNumbers(v.R.Context(), slices.Compact(ids))
}

// JobOfUnit is the job of a unit in a list.
func JobOfUnit(unit *shop.SerialListItem) string { return unit.JobID }

// IDsOf are identifiers that records have.
func IDsOf[T any](records []T, of func(*T) string) []string {
	ids := make([]string, len(records))
	for i := range records {
		ids[i] = of(&records[i])
	}
	return ids
}

// EntriesAbout are the texts of entries that can name units.
func EntriesAbout(entries []trail.Entry) []string {
	texts := make([]string, 0, 2*len(entries))
	for i := range entries {
		texts = append(texts, entries[i].SerialID, string(entries[i].Metadata))
	}
	return texts
}

// GroupsAbout are the texts of groups of units.
func GroupsAbout(lists ...[]UnitGroup) []string {
	return IDsOf(slices.Concat(lists...), func(group *UnitGroup) string { return group.Units + " " + group.What })
}

// UnitsShown are the texts of the page that can name units.
func (p *ConfirmPage) UnitsShown() []string { return append(slices.Clone(p.Facts), p.Question, p.Yes) }
